import './require-node.js';
import { parseArgs } from 'node:util';
import { restore, restoreShared } from './commands/restore.ts';
import { explainFailure } from './messages.ts';
import { readSettings } from './settings.ts';

const USAGE = 'npm run restore -- FILE [--despite-damage]';

try {
  const options = { 'despite-damage': { type: 'boolean', default: false } } as const;
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  const [file] = positionals;
  if (file === undefined || positionals.length > 1) throw new Error(USAGE);
  const despiteDamage = values['despite-damage'];
  const settings = readSettings(process.env);
  const restoring = { ...settings, file, key: settings.backupKey, now: Date.now(), despiteDamage };
  const isShared = settings.databaseUrl !== '';
  const { files, damaged, keptAside } = await (isShared ? restoreShared(restoring) : restore(restoring));
  console.log(`Restored the database and ${files - damaged.length} files.`);
  if (damaged.length > 0) console.log(`Missing or damaged: ${damaged.join(', ')}`);
  if (keptAside !== undefined) console.log(`What was there before is in ${keptAside}.`);
} catch (error) {
  explainFailure(error);
}
