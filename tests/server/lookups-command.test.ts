import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { manageLookups } from '../../server/commands/lookups.ts';
import { openDatabase } from '../../server/stores/sqlite/open.ts';
import type { Database } from '../../server/stores/sql/tables.ts';
import { freshFolder } from './harness.ts';

let db: Database;
const run = (...words: string[]) => manageLookups(db, words);
const lines = async (...words: string[]) => (await run('list', ...words)).split('\n').filter((line) => line !== '');

beforeEach(async () => {
  const opened = await openDatabase(await freshFolder());
  onTestFinished(() => opened.destroy());
  db = opened;
});

test('starts an installation with choices for every list, and inverter brands by type', async () => {
  const all = await lines();
  expect(new Set(all.map((line) => line.split(' › ')[0]))).toEqual(
    new Set(['generator-series', 'gti-brands', 'ups-types']),
  );
  expect(new Set((await lines('gti-brands')).map((line) => line.split(' › ')[1]))).toEqual(
    new Set(['Single Phase', 'Three Phase']),
  );
  // a brand that only makes single-phase inverters
  const enphase = (await lines('gti-brands')).filter((line) => line.endsWith(' › Enphase'));
  expect(enphase).toEqual(['gti-brands › Single Phase › Enphase']);
});

test('lists only the named list', async () => {
  const told = await lines('ups-types');
  expect(told.length).toBeGreaterThan(0);
  expect(told.filter((line) => !line.startsWith('ups-types › '))).toEqual([]);
});

test('adds a value once, without surrounding blanks', async () => {
  const before = (await lines('ups-types')).length;
  for (let time = 0; time < 2; time += 1)
    expect(await run('add', 'ups-types', '  Flywheel ')).toBe('"Flywheel" is in ups-types.');
  const after = await lines('ups-types');
  expect([after.length, after.includes('ups-types › Flywheel')]).toEqual([before + 1, true]);
});

test('removes a value from the named type, and keeps it in the other', async () => {
  for (const type of ['Single Phase', 'Three Phase']) await run('add', 'gti-brands', type, 'Sun Lord');
  expect(await run('remove', 'gti-brands', 'Single Phase', 'Sun Lord')).toBe(
    '"Sun Lord" was removed from gti-brands. Records that have it keep it.',
  );
  const left = (await lines('gti-brands')).filter((line) => line.endsWith('Sun Lord'));
  expect(left).toEqual(['gti-brands › Three Phase › Sun Lord']);
});

test.each([
  ['a value that is not in the list', ['remove', 'ups-types', 'Nothing'], '"Nothing" is not in ups-types.'],
  ['a blank value', ['add', 'ups-types', '  '], 'npm run lookups -- list'],
  ['a command without a value', ['add', 'ups-types'], 'npm run lookups -- list'],
  ['an unknown list', ['add', 'colours', 'Red'], 'There is no list named "colours".'],
  ['an unknown type', ['add', 'gti-brands', 'Two Phase', 'A'], 'belongs to one of: Single Phase, Three Phase.'],
  ['an unknown command', ['empty', 'ups-types'], 'npm run lookups -- list'],
])('explains %s', async (_what, words, message) => {
  const before = await lines();
  await expect(run(...words)).rejects.toThrow(message);
  expect(await lines()).toEqual(before);
});

test('explains every command and list when called without one', async () => {
  const told: string = await run().catch((error: Error) => error.message);
  for (const words of ['list [LIST]', 'add LIST VALUE', 'remove LIST VALUE', 'add gti-brands "Single Phase" VALUE'])
    expect(told.split('\n')).toContain(`npm run lookups -- ${words}`);
  for (const name of new Set((await lines()).map((line) => line.split(' › ')[0] ?? ''))) expect(told).toContain(name);
});
