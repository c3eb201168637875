import './require-node.js';
import { restore } from './commands/restore.ts';
import { explainFailure } from './messages.ts';
import { readSettings } from './settings.ts';

try {
  const file = process.argv[2];
  if (file === undefined) throw new Error('npm run restore -- FILE');
  const { dataDir, backupKey } = readSettings(process.env);
  const { files, keptAside } = await restore(dataDir, file, Date.now(), backupKey);
  console.log(`Restored the database and ${files} files.`);
  if (keptAside !== undefined) console.log(`What was there before is in ${keptAside}.`);
} catch (error) {
  explainFailure(error);
}
