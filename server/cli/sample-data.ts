import { parseArgs } from 'node:util';
import { nameOf, openOrMake, withUploads } from '../commands/installation.ts';
import { fill, hasRecords } from '../sample-data/fill.ts';
import { readSettings } from '../settings/settings.ts';

const SIZES: ReadonlyMap<string, number> = new Map([
  ['small', 12],
  ['full', Number.POSITIVE_INFINITY],
]);

/** Fills a fresh database with believable content of every kind: `--size=small|full`. Throws readable errors. */
export async function run(words: readonly string[]): Promise<void> {
  const settings = readSettings(process.env);
  const { values } = parseArgs({ args: [...words], options: { size: { type: 'string', default: 'full' } } });
  const most = SIZES.get(values.size);
  if (most === undefined) throw new Error('The size is small or full.');
  const db = await openOrMake(settings);
  try {
    if (await hasRecords(db))
      throw new Error(`${nameOf(settings)} has records already. Sample data is for a fresh one.`);
    console.log('Drawing pictures and writing catalogues. This takes a little while.');
    const { maxFileBytes, maxRequestBytes, maxFiles } = settings;
    const limits = { maxFileBytes, maxRequestBytes, maxFiles };
    const counts = await withUploads(settings, db, (place) =>
      fill({ db, storage: { ...place, limits, now: Date.now } }, most),
    );
    console.table(counts);
  } finally {
    await db.destroy();
  }
}
