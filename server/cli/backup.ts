import { parseArgs } from 'node:util';
import { backUp, backUpTo } from '../commands/backup.ts';
import { readSettings, type Settings } from '../settings/settings.ts';

const USAGE = `npm run backup -- FILE
npm run backup -- --to DIR [--keep 14]`;

/** Writes a backup to a file, or to a folder that keeps the newest. Throws if something in it is missing or damaged. */
export async function run(words: readonly string[]): Promise<void> {
  const settings = readSettings(process.env);
  const { file, files, damaged } = await write(settings, words);
  const how = settings.backupKey === '' ? 'not encrypted: BACKUP_KEY is not set' : 'encrypted';
  console.log(`Wrote ${file} with the database and ${files} files, ${how}.`);
  if (damaged.length > 0) throw new Error(`Missing or damaged among the uploads:\n${damaged.join('\n')}`);
}

async function write(
  { dataDir, databaseUrl, uploadsUrl, backupKeep, backupKey: key }: Settings,
  words: readonly string[],
) {
  const options = { to: { type: 'string' }, keep: { type: 'string', default: String(backupKeep) } } as const;
  const { values, positionals } = parseArgs({ args: [...words], options, allowPositionals: true });
  const [file] = positionals;
  const shared = { databaseUrl, uploadsUrl };
  if ((file === undefined) === (values.to === undefined) || positionals.length > 1) throw new Error(USAGE);
  if (file !== undefined) return { file, ...(await backUp(dataDir, file, key, shared)) };
  if (!/^[1-9]\d*$/.test(values.keep))
    throw new Error(`--keep: "${values.keep}" is not a number of backups.\n${USAGE}`);
  return backUpTo(dataDir, { folder: values.to ?? '', keep: Number(values.keep), key, now: Date.now(), shared });
}
