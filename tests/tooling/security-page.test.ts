import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const page = readFileSync('docs/security.md', 'utf8');
/** Requirement, standing, how, tests. */
const rows = [...page.matchAll(/^\| (\d+\.\d+\.\d+) \| ([^|]+) \| ([^|]+) \| ([^|]*)\|$/gm)].map(
  ([, id = '', standing = '', how = '', tests = '']) => ({ id, standing, how, tests: tests.match(/[\w/-]+/g) ?? [] }),
);

/** The number of requirements of level 1 or 2 in each chapter of ASVS 5.0. */
const CHAPTERS = {
  1: 27,
  2: 11,
  3: 19,
  4: 10,
  5: 9,
  6: 35,
  7: 18,
  8: 7,
  9: 7,
  10: 29,
  11: 14,
  12: 9,
  13: 13,
  14: 9,
  15: 13,
  16: 16,
  17: 7,
};

test('lists every requirement of level 2 once, with a reason', () => {
  expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
  const counted = Object.groupBy(rows, ({ id }) => id.split('.')[0] ?? '');
  expect(Object.fromEntries(Object.entries(counted).map(([chapter, all = []]) => [chapter, all.length]))).toEqual(
    CHAPTERS,
  );
  expect(rows.filter(({ how }) => how.trim() === '')).toEqual([]);
});

test('names an existing test for every requirement that is met', () => {
  const there = new Set(
    globSync('tests/**/*.{test,spec}.{ts,tsx}').map((path) =>
      path.replace(/^tests\/(.*?)(\.long)?\.(test|spec)\.tsx?$/, '$1'),
    ),
  );
  const met = rows.filter(({ standing }) => standing === 'met');
  expect(met.length).toBeGreaterThan(140);
  expect(met.filter(({ tests }) => tests.length === 0)).toEqual([]);
  expect(rows.flatMap(({ tests }) => tests).filter((name) => !there.has(name))).toEqual([]);
});

test('lists at most ten requirements as not met, and states matching counts', () => {
  const count = (standing: string) => rows.filter((row) => row.standing === standing).length;
  const [met, outside, open] = ['met', 'not applicable', '**not met**'].map(count);
  expect(open).toBeLessThanOrEqual(10);
  expect(page).toContain(
    `${rows.length} requirements of levels 1 and 2, numbered as there: ${met} met, ${outside} not applicable, ${open} not met.`,
  );
});
