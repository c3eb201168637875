import './require-node.js';
import { manageLookups } from './commands/lookups.ts';
import { openBeside } from './commands/installation.ts';
import { explainFailure } from './messages.ts';
import { readSettings } from './settings.ts';

try {
  const settings = readSettings(process.env);
  const db = await openBeside(settings);
  console.log(await manageLookups(db, process.argv.slice(2)).finally(() => db.destroy()));
} catch (error) {
  explainFailure(error);
}
