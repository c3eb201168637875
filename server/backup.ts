import './require-node.js';
import { backUp } from './commands/backup.ts';
import { explainFailure } from './messages.ts';
import { readSettings } from './settings.ts';

try {
  const file = process.argv[2];
  if (file === undefined) throw new Error('npm run backup -- FILE');
  const { files, damaged } = await backUp(readSettings(process.env).dataDir, file);
  console.log(`Wrote ${file} with the database and ${files} files.`);
  if (damaged.length > 0) throw new Error(`Missing or damaged in the uploads folder:\n${damaged.join('\n')}`);
} catch (error) {
  explainFailure(error);
}
