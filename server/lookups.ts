import './require-node.js';
import { manageLookups } from './commands/lookups.ts';
import { openDatabase } from './database/open.ts';
import { explainFailure } from './messages.ts';
import { readSettings } from './settings.ts';

try {
  const db = await openDatabase(readSettings(process.env).dataDir);
  console.log(await manageLookups(db, process.argv.slice(2)).finally(() => db.destroy()));
} catch (error) {
  explainFailure(error);
}
