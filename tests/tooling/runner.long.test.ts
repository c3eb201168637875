import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { counted } from '../runner/count.ts';
import { playwright, vitest } from '../runner/suites.ts';

/** A separate project with the same configuration, in which tests are planted that must not count as passed. */
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'runner-'));
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  mkdirSync(join(folder, 'tests/ui'), { recursive: true });
  mkdirSync(join(folder, 'tests/harness'));
  // no planted test leaves anything behind
  for (const name of ['harness/afresh.ts', 'harness/empty-storage.ts', 'ui/patience.ts', 'ui/fresh-page.ts'])
    writeFileSync(join(folder, 'tests', name), 'export {};');
  // no planted test needs the data of a server
  writeFileSync(join(folder, 'tests/harness/prepared-data.ts'), 'export default () => undefined;');
});

afterEach(() => rmSync(folder, { recursive: true }));

const PASSES = `test('passes', () => { expect(1).toBe(1); });`;

function plant(library: string, texts: Record<string, string>) {
  for (const [file, text] of Object.entries(texts)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(
      join(folder, file),
      `import { expect, ${library === 'vitest' ? 'it, ' : ''}describe, test } from '${library}';\n${text}\n`,
    );
  }
}

const report = () => join(folder, 'count.json');
const runVitest = () => {
  const options = `--root ${folder} --config ${resolve('vitest.config.ts')} --project pure --project ui`;
  return vitest({ file: report(), quiet: true, options });
};

describe('vitest as npm test runs it', () => {
  it('counts the tests that ran and passed', () => {
    plant('vitest', { 'tests/domain/a.test.ts': PASSES, 'tests/ui/b.test.tsx': PASSES });
    expect(runVitest()).toEqual({ passed: 2, failed: [] });
  });

  it('counts nothing as passed that did not run or cannot fail', () => {
    plant('vitest', {
      'tests/ui/passes.test.ts': PASSES,
      'tests/domain/only.test.ts': `test.only('only', () => { expect(1).toBe(1); });`,
      'tests/domain/it.test.ts': `it.only('it', () => { expect(1).toBe(1); });`,
      'tests/domain/group.test.ts': `describe.only('group', () => { ${PASSES} });`,
      'tests/domain/skip.test.ts': `test.skip('skipped', () => { expect(1).toBe(1); });`,
      'tests/domain/describe.test.ts': `describe.skip('group', () => { ${PASSES} });`,
      'tests/domain/inside.test.ts': `test('gives up', ({ skip }) => { expect(1).toBe(1); skip(); });`,
      'tests/domain/todo.test.ts': `test.todo('later');`,
      'tests/domain/fails.test.ts': `test.fails('wrong', () => { expect(1).toBe(2); });`,
      'tests/domain/retry.test.ts': `test('again', { retry: 2 }, () => { expect(1).toBe(1); });`,
      'tests/domain/silent.test.ts': `test('asserts nothing', () => {});`,
      'tests/domain/empty.test.ts': '',
      'tests/domain/broken.test.ts': `throw new Error('cannot be loaded');`,
      'tests/domain/late.test.ts': `${PASSES} void Promise.reject(new Error('nobody waits'));`,
      'tests/domain/later.long.test.ts': PASSES,
      'tests/elsewhere/stray.test.ts': PASSES,
    });
    const { passed, failed } = runVitest();
    expect(failed.toSorted()).toEqual([
      expect.stringMatching(/^outside of any test: .*nobody waits/),
      'tests/domain/broken.test.ts: cannot be loaded',
      'tests/domain/describe.test.ts › group > passes: was not run',
      expect.stringContaining('tests/domain/empty.test.ts: No test suite found'),
      'tests/domain/fails.test.ts › wrong: is expected to fail',
      expect.stringContaining('tests/domain/group.test.ts'),
      'tests/domain/inside.test.ts › gives up: was not run',
      expect.stringContaining('tests/domain/it.test.ts › it: '),
      expect.stringContaining('tests/domain/only.test.ts › only: '),
      'tests/domain/retry.test.ts › again: is tried more than once',
      expect.stringContaining('tests/domain/silent.test.ts › asserts nothing: expected any number of assertion'),
      'tests/domain/skip.test.ts › skipped: was not run',
      'tests/domain/todo.test.ts › later: was not run',
      'tests/elsewhere/stray.test.ts: belongs to no project',
    ]);
    expect(passed).toBe(2);
  });

  it('reports a project without tests', () => {
    plant('vitest', { 'tests/domain/a.test.ts': PASSES });
    expect(runVitest()).toEqual({ passed: 1, failed: ['the project ui: holds no test'] });
  });
});

describe('Playwright as npm test runs it', () => {
  const runPlaywright = (env = {}) => playwright({ file: report(), quiet: true, options: `--config ${folder}`, env });

  beforeEach(() =>
    writeFileSync(join(folder, 'playwright.config.ts'), `export default { retries: 1, testDir: 'e2e' };`),
  );

  it('counts nothing as passed that did not run or cannot fail', () => {
    plant('@playwright/test', {
      'e2e/a.spec.ts': `
        ${PASSES}
        test.skip('skipped', () => { expect(1).toBe(1); });
        test('gives up', () => { test.skip(); });
        test.fixme('broken', () => { expect(1).toBe(1); });
        test('wrong', () => { test.fail(); expect(1).toBe(2); });
        test('asserts nothing', () => {});
        test('at last', ({}, { retry }) => { expect(retry).toBe(1); });
        test.describe('group', () => {
          test.beforeEach(() => { expect(1).toBe(1); });
          test('leaves it to its hook', () => {});
        });`,
    });
    expect(runPlaywright()).toEqual({
      passed: 1,
      failed: [
        'a.spec.ts › skipped: was not run',
        'a.spec.ts › gives up: was not run',
        'a.spec.ts › broken: was not run',
        'a.spec.ts › wrong: is expected to fail',
        'a.spec.ts › asserts nothing: asserts nothing',
        expect.stringContaining('a.spec.ts › at last: '),
        'a.spec.ts › group › leaves it to its hook: asserts nothing',
      ],
    });
  });

  it('passes settings on to the tests', () => {
    plant('@playwright/test', {
      'e2e/a.spec.ts': `test('is set', () => { expect(process.env['PLANTED']).toBe('yes'); });`,
    });
    expect(runPlaywright({ PLANTED: 'yes' })).toEqual({ passed: 1, failed: [] });
  });

  it.each([
    ['test', `test.only('only', () => { expect(1).toBe(1); });`],
    ['group', `test.describe.only('only', () => { ${PASSES} });`],
  ])('refuses to run one %s only', (_what, only) => {
    plant('@playwright/test', { 'e2e/a.spec.ts': `test('before', () => { expect(1).toBe(1); });\n${only}` });
    const { passed, failed } = runPlaywright();
    expect(passed).toBe(0);
    expect(failed.join()).toContain('.only');
  });
});

describe('a runner', () => {
  it.each([
    ['crashed', false, undefined],
    ['ran nothing', true, '{"passed":0,"failed":[]}'],
    ['failed without a reason', false, '{"passed":3,"failed":[]}'],
    ['truncated its report', true, '{"passed":3,"fai'],
  ])('that %s counts as failed', (_how, succeeded, text) => {
    const run = () => {
      if (text) writeFileSync(report(), text);
      return succeeded;
    };
    writeFileSync(report(), '{"passed":1,"failed":[]}');
    expect(counted('it', report(), run).failed).toEqual(['it as a whole']);
  });
});
