import './require-node.js';
import { parseArgs } from 'node:util';
import { backUp, backUpTo } from './commands/backup.ts';
import { explainFailure } from './messages.ts';
import { readSettings, type Settings } from './settings.ts';

const USAGE = `npm run backup -- FILE
npm run backup -- --to DIR [--keep 14]`;

try {
  const settings = readSettings(process.env);
  const { file, files, damaged } = await write(settings);
  const how = settings.backupKey === '' ? 'not encrypted: BACKUP_KEY is not set' : 'encrypted';
  console.log(`Wrote ${file} with the database and ${files} files, ${how}.`);
  if (damaged.length > 0) throw new Error(`Missing or damaged among the uploads:\n${damaged.join('\n')}`);
} catch (error) {
  explainFailure(error);
}

async function write({ dataDir, databaseUrl, uploadsUrl, backupKeep, backupKey: key }: Settings) {
  const options = { to: { type: 'string' }, keep: { type: 'string', default: String(backupKeep) } } as const;
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  const [file] = positionals;
  const shared = { databaseUrl, uploadsUrl };
  if ((file === undefined) === (values.to === undefined) || positionals.length > 1) throw new Error(USAGE);
  if (file !== undefined) return { file, ...(await backUp(dataDir, file, key, shared)) };
  if (!/^[1-9]\d*$/.test(values.keep))
    throw new Error(`--keep: "${values.keep}" is not a number of backups.\n${USAGE}`);
  return backUpTo(dataDir, { folder: values.to ?? '', keep: Number(values.keep), key, now: Date.now(), shared });
}
