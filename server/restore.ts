import './require-node.js';
import { restore, restoreShared } from './commands/restore.ts';
import { explainFailure } from './messages.ts';
import { readSettings } from './settings.ts';

try {
  const file = process.argv[2];
  if (file === undefined) throw new Error('npm run restore -- FILE');
  const { dataDir, databaseUrl, backupKey: key } = readSettings(process.env);
  const now = Date.now();
  const restoring =
    databaseUrl === '' ? restore(dataDir, file, now, key) : restoreShared({ databaseUrl, dataDir, file, key, now });
  const { files, keptAside } = await restoring;
  console.log(`Restored the database and ${files} files.`);
  if (keptAside !== undefined) console.log(`What was there before is in ${keptAside}.`);
} catch (error) {
  explainFailure(error);
}
