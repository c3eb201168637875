import { parseArgs } from 'node:util';
import { printSteps, tellNobody } from '../ops/backup-steps.ts';
import { backUp, backUpTo } from '../commands/backup.ts';
import { bucketProblem } from '../uploads/bucket-address.ts';
import { readSettings, type Settings } from '../settings/settings.ts';

const USAGE = `npm run backup -- FILE
npm run backup -- --to DIR [--keep 14]
npm run backup -- --to s3://BUCKET/FOLDER [--to DIR] [--keep 14]`;

/** Writes a backup to a file, or to a folder, a bucket or both that keep the newest. Throws if something in it is missing or damaged. */
export async function run(words: readonly string[]): Promise<void> {
  const settings = readSettings(process.env);
  const { file, files, damaged, problem } = await write(settings, words);
  const how = settings.backupKey === '' ? 'not encrypted: BACKUP_KEY is not set' : 'encrypted';
  console.log(`Wrote ${file} with the database and ${files} files, ${how}.`);
  if (problem !== undefined) throw new Error(`It is not in the bucket: ${problem}`);
  if (damaged.length > 0) throw new Error(`Missing or damaged among the uploads:\n${damaged.join('\n')}`);
}

async function write(
  { dataDir, databaseUrl, uploadsUrl, backupKeep, backupKey: key }: Settings,
  words: readonly string[],
): Promise<Awaited<ReturnType<typeof backUpTo>>> {
  const options = {
    to: { type: 'string', multiple: true },
    keep: { type: 'string', default: String(backupKeep) },
    // for the server that started this process
    steps: { type: 'boolean', default: false },
  } as const;
  const { values, positionals } = parseArgs({ args: [...words], options, allowPositionals: true });
  const [file] = positionals;
  const places = values.to ?? [];
  const [buckets, folders] = [places.filter(isBucket), places.filter((place) => !isBucket(place))];
  const shared = { databaseUrl, uploadsUrl };
  const isTwice = buckets.length > 1 || folders.length > 1 || positionals.length > 1;
  if ((file === undefined) === (places.length === 0) || isTwice) throw new Error(USAGE);
  if (file !== undefined) return { file, ...(await backUp(dataDir, file, key, shared)) };
  if (!/^[1-9]\d*$/.test(values.keep))
    throw new Error(`--keep: "${values.keep}" is not a number of backups.\n${USAGE}`);
  const [folder = '', bucket = ''] = [folders[0], buckets[0]];
  const problem = bucket === '' ? undefined : bucketProblem(bucket);
  if (problem !== undefined) throw new Error(`--to: ${problem}`);
  return backUpTo(dataDir, {
    folder,
    bucket,
    keep: Number(values.keep),
    key,
    now: Date.now(),
    shared,
    tell: values.steps ? printSteps(console.log) : tellNobody,
  });
}

const isBucket = (place: string) => place.startsWith('s3:');
