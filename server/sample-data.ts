import './require-node.js';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openDatabase } from './stores/sqlite/open.ts';
import { explainFailure } from './messages.ts';
import { fill, hasRecords } from './sample-data/fill.ts';
import { readSettings, type Settings } from './settings.ts';
import { realDisk } from './uploads/disk.ts';
import { filesOnDisk } from './uploads/file-store.ts';

/** `npm run sample-data [-- --size=small|full]`: fills a fresh database with believable content of every kind. */

const SIZES: Readonly<Record<string, number>> = { small: 12, full: Number.POSITIVE_INFINITY };

try {
  await run(readSettings(process.env));
} catch (error) {
  explainFailure(error);
}

async function run(settings: Settings): Promise<void> {
  const { values } = parseArgs({ options: { size: { type: 'string', default: 'full' } } });
  const most = SIZES[values.size];
  if (most === undefined) throw new Error('The size is small or full.');
  const db = await openDatabase(settings.dataDir);
  try {
    if (await hasRecords(db))
      throw new Error(`${settings.dataDir} has records already. Sample data is for a fresh installation.`);
    console.log('Drawing pictures and writing catalogues. This takes a little while.');
    console.table(await fill({ db, storage: storageOf(settings) }, most));
  } finally {
    await db.destroy();
  }
}

function storageOf({ dataDir, maxFileBytes, maxRequestBytes, maxFiles }: Settings) {
  const limits = { maxFileBytes, maxRequestBytes, maxFiles };
  const folder = join(dataDir, 'uploads');
  return { folder, disk: realDisk, files: filesOnDisk(folder, realDisk), limits, randomBytes, now: Date.now };
}
