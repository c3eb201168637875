import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

/** The rows of the tables of behaviours. The last table is one of figures. */
const ROWS = readFileSync('docs/screens.md', 'utf8')
  .split('| Task |')[0]
  ?.split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| Behaviour |'));

it('names an existing test or document for every behaviour of the screens', () => {
  expect(ROWS?.length).toBeGreaterThan(30);
  for (const row of ROWS ?? []) {
    const paths = [...row.matchAll(/`((?:tests|docs)\/[^`]+)`/g)].map((match) => match[1] ?? '');
    expect(paths.length, row).toBeGreaterThan(0);
    expect(
      paths.filter((path) => !existsSync(path)),
      row,
    ).toEqual([]);
  }
});
