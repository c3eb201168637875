import './require-node.js';
import { manageLookups } from './commands/lookups.ts';
import { assertDatabase } from './stores/sqlite/database-file.ts';
import { openDatabase } from './stores/sqlite/open.ts';
import { explainFailure } from './messages.ts';
import { readSettings } from './settings.ts';

try {
  const { dataDir } = readSettings(process.env);
  assertDatabase(dataDir);
  const db = await openDatabase(dataDir);
  console.log(await manageLookups(db, process.argv.slice(2)).finally(() => db.destroy()));
} catch (error) {
  explainFailure(error);
}
