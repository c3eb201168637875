import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { addBatteries, ProjectCopy } from '../harness/project-copy.ts';

describe('in a copy of the project', () => {
  let copy: ProjectCopy;
  beforeEach(() => {
    copy = new ProjectCopy();
  });
  afterEach(() => copy.remove());

  test('adding an eleventh kind of record takes a definition, a migration and one line', { timeout: 240_000 }, () => {
    addBatteries(copy);
    expect(copy.run('tsc', '-b').output).not.toContain('error');
    const every = ['tests/server/resources.test.ts', 'tests/server/naughty-texts.test.ts', 'tests/ui/fields.test.tsx'];
    const only = ['-t', 'batteries', '--reporter=json', '--outputFile=report.json'];
    copy.run('vitest', 'run', '--maxWorkers=1', ...only, ...every);
    const report = JSON.parse(copy.read('report.json')) as Record<string, number>;
    expect(report).toMatchObject({ numFailedTests: 0, numFailedTestSuites: 0 });
    expect(report['numPassedTests']).toBeGreaterThan(15);
  });

  test('a new kind of field fails to compile wherever it has to be handled', { timeout: 120_000 }, () => {
    copy.change('src/domain/fields.ts', (text) =>
      text
        .replace('export type Field =\n', 'export type Field =\n  | ColourField\n')
        .replace(
          'export type Field =\n',
          "export interface ColourField extends FieldBase {\n  readonly kind: 'colour';\n}\n\nexport type Field =\n",
        ),
    );
    const first = copy.run('tsc', '-p', 'tsconfig.domain.json').output;
    expect(first).toMatch(/src\/domain\/fields\.ts\(\d+,\d+\): error .*/);
    copy.change('src/domain/fields.ts', (text) =>
      text.replace("  text: 'text',\n", "  text: 'text',\n  colour: 'text',\n"),
    );
    const { output } = copy.run('tsc', '-b', 'tsconfig.server.json', 'tsconfig.page.json');
    const places = new Set([...output.matchAll(/^(\S+?)\(\d+,\d+\): error/gm)].map(([, file]) => file));
    expect([...places].toSorted()).toEqual(
      expect.arrayContaining([
        'server/stores/sql/write.ts',
        'src/domain/validate.ts',
        'src/fields/value-field.tsx',
        'src/resource/form/sections.ts',
      ]),
    );
  });
});
