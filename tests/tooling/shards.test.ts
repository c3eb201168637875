import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { FILES_OF } from '../runner/projects.ts';
import { SHARDS, stepsFor } from '../runner/shards.ts';

const stepsOf = (...args: readonly string[]) => {
  const steps = stepsFor(args);
  if (typeof steps === 'string') throw new Error(steps);
  return steps;
};

it('runs every project in one shard', () => {
  const run = SHARDS.flatMap(({ steps }) => steps.flatMap(({ projects = [] }) => projects));
  expect(run.toSorted()).toEqual(Object.keys(FILES_OF).toSorted());
});

it('gives every file to one project', () => {
  const files = Object.values(FILES_OF).flatMap((pattern) => globSync(pattern));
  expect(files.toSorted()).toEqual(globSync('tests/**/*.test.{ts,tsx}').toSorted());
});

it('runs in all shards together what it runs without one', () => {
  const each = SHARDS.flatMap((_, i) => stepsOf('--all', '--shard', `${i + 1}/${SHARDS.length}`));
  expect(each).toEqual(stepsOf('--all'));
  expect(stepsOf('--all', '--shard', '1/6')).toEqual(stepsOf());
});

it.each(['0/6', '7/6', '3/5', '3', '', 'x/6', '1/6/2'])('refuses the shard "%s" in words', (shard) => {
  expect(stepsFor(['--all', '--shard', shard])).toMatch(/^There is no shard .*\n1\/6 {2}what `npm test` runs\n/);
});

it.each([['--shard', '1/6'], ['--everything'], ['--all', '--shards', '1/6'], ['--all', '--shard', '1/6', 'more']])(
  'refuses the arguments %j',
  (...args) => {
    expect(stepsFor(args)).toContain('There are `npm test`');
  },
);

it('is described in CONTRIBUTING shard by shard', () => {
  const rows = SHARDS.map(({ holds }, i) => `| ${i + 1}/${SHARDS.length} | ${holds} |`);
  expect(readFileSync('CONTRIBUTING.md', 'utf8')).toContain(rows.join('\n'));
});
