import { readList, writeList } from '../../../src/offline/cache/cache.ts';
import { listRows } from '../kit/rows.ts';
import { scratchDatabase, timed } from './scratch-db.ts';

const RESOURCE = 'grid-tie-inverters';
const rows = listRows(10_000).map((row) => ({ ...row }));
const scratch = scratchDatabase('relaxed');

/** Writes and reads a list of 10,000 rows in the device's cache. */
export const cacheExperiments = {
  'list in': () => timed(() => writeList(RESOURCE, { rows, fetchedAt: Date.now() })),
  'list out': () => timed(() => readList(RESOURCE)),
  'one value in': () => timed(() => scratch.lists.put(rows, RESOURCE)),
  'one value out': () => timed(() => scratch.lists.get(RESOURCE)),
};
