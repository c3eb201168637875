import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { deleteQuestion } from '../../src/domain/messages.ts';
import { fieldOf, routesOf, screenOf } from '../../src/domain/resource.ts';
import { RESOURCES, resourceOf } from '../../src/domain/resources/index.ts';
import { siteMeta } from '../../src/domain/resources/site-meta.ts';

const DOCUMENT = readFileSync('docs/specification.md', 'utf8');
const BODIES = { 'site-meta': siteMeta } as const;

/** The rows of all tables, cell by cell, without heads and rules. */
const TABLE_ROWS = DOCUMENT.split('\n')
  .filter((line, index, lines) => line.startsWith('|') && !isRule(line) && !isRule(lines[index + 1] ?? ''))
  .map((line) =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim()),
  );

function isRule(line: string): boolean {
  return /^\|[-|]+\|$/.test(line);
}

/** The rows of the table under the head that begins with these cells. */
function tableUnder(...head: string[]): string[][] {
  const [, after = ''] = DOCUMENT.split(`| ${head.join(' | ')} |`);
  const lines = after.split('\n').slice(2);
  const end = lines.findIndex((line) => !line.startsWith('|'));
  return lines.slice(0, end).map((line) =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim()),
  );
}

function quoted(text: string): string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? '');
}

describe('the table of the specification', () => {
  it('has all nine points', () => {
    for (let point = 1; point <= 9; point += 1) expect(DOCUMENT).toMatch(new RegExp(`^## ${point}\\. `, 'm'));
  });

  it('says of every line where it is met and what shows it', () => {
    const lines = DOCUMENT.split(/^\| The specification says .*$/m).slice(1);
    const rows = lines.flatMap((part) => {
      const table = part.split('\n').slice(2);
      return table.slice(
        0,
        table.findIndex((line) => !line.startsWith('|')),
      );
    });
    expect(rows.length).toBeGreaterThan(50);
    for (const row of rows) {
      const [, says = '', met = '', shown = ''] = row.split('|');
      expect(quoted(met), says).not.toEqual([]);
      expect(quoted(shown), says).toEqual([expect.stringMatching(/^tests\/.*\.(test|spec)\.tsx?$/)]);
    }
  });

  it('names only files that exist', () => {
    const paths = quoted(DOCUMENT).filter((text) => /^(src|server|sw|tests|docs)\//.test(text));
    expect(paths.length).toBeGreaterThan(100);
    expect([...new Set(paths)].filter((path) => !existsSync(path))).toEqual([]);
  });

  it('uses every ruling, and defines every ruling it refers to', () => {
    const ruled = tableUnder('Ruling', 'What is built, and why').map(([number]) => number);
    const cells = TABLE_ROWS.flatMap((row) => row.slice(1)).filter((cell) => /^R\d+(, R\d+)*$/.test(cell));
    const used = new Set(cells.flatMap((cell) => cell.split(', ')));
    expect(ruled).toEqual(ruled.map((_, index) => `R${index + 1}`));
    expect([...used].toSorted()).toEqual(ruled.toSorted());
  });

  it('has the routes of the app', () => {
    const routes = tableUnder('Route', 'Screen').flatMap(([cell = '']) => quoted(cell));
    const derived = RESOURCES.flatMap((resource) => {
      const { create, list, edit } = routesOf(resource);
      return [create, list, edit('{id}')];
    });
    const own = ['/login', '/', '/about', '/pass-change', screenOf(siteMeta, siteMeta.only)];
    expect(routes.toSorted()).toEqual([...derived, ...own].toSorted());
  });

  it('has the fields of every kind, in order', () => {
    const fields = tableUnder('Entity', 'Fields').map(([name, list]) => [name, list]);
    const owners = [...RESOURCES.map((resource) => [resource.name, resource] as const), ...Object.entries(BODIES)];
    const defined = owners.map(([name, owner]) => [name, owner.fields.map((field) => field.name).join(', ')]);
    expect(fields.toSorted()).toEqual(defined.toSorted());
  });

  it('has the calls of every kind', () => {
    const calls = tableUnder('Kind', 'Create', 'List', 'Single and update', 'Delete');
    expect(calls.toSorted()).toEqual(
      RESOURCES.map(({ name, endpoints: { create, list, single, delete: remove } }) => [
        name,
        ...[create, list, single, remove].map((path) => `\`${path}\``),
      ]).toSorted(),
    );
  });

  it('has the fixed options', () => {
    const options = tableUnder('Options of', 'Values').map(([owner, values]) => [owner, values]);
    const defined = RESOURCES.flatMap((resource) =>
      resource.fields.flatMap((field) =>
        field.kind === 'choice' ? [[`${resource.name}.${field.name}`, field.options.join('; ')]] : [],
      ),
    );
    expect(options.toSorted()).toEqual(defined.toSorted());
  });

  it('has the questions before a delete', () => {
    const questions = tableUnder('Deleting', 'Question', 'Ruling').map(([name, question]) => [name, question]);
    const asked = RESOURCES.map(({ name, label }) => [name, deleteQuestion(label.deleteAs)]);
    expect(questions.toSorted()).toEqual(asked.toSorted());
  });

  it('has the sizes and steps that the specification fixes', () => {
    const widths = RESOURCES.flatMap(({ name, columns }) =>
      columns.flatMap((column) => (column.kind === 'image' && name !== 'projects' ? [[name, column.width]] : [])),
    );
    expect(Object.fromEntries(widths)).toEqual({
      sliders: 300,
      partners: 100,
      certifications: 100,
      'about-items': 100,
    });
    expect(fieldOf(resourceOf('projects'), 'description')).toMatchObject({ kind: 'longText', rows: 6 });
    expect(fieldOf(siteMeta, 'metaTag')).toMatchObject({ kind: 'longText', rows: 10 });
    expect(fieldOf(resourceOf('sliders'), 'serial')).toMatchObject({ kind: 'integer', step: 1 });
  });
});
