import './require-node.js';
import { restore, restoreShared } from './commands/restore.ts';
import { explainFailure } from './messages.ts';
import { readSettings } from './settings.ts';

try {
  const file = process.argv[2];
  if (file === undefined) throw new Error('npm run restore -- FILE');
  const { backupKey: key, ...settings } = readSettings(process.env);
  const now = Date.now();
  const restoring =
    settings.databaseUrl === ''
      ? restore(settings.dataDir, file, now, key)
      : restoreShared({ ...settings, file, key, now });
  const { files, keptAside } = await restoring;
  console.log(`Restored the database and ${files} files.`);
  if (keptAside !== undefined) console.log(`What was there before is in ${keptAside}.`);
} catch (error) {
  explainFailure(error);
}
