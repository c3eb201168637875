import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import type { Rehearsal } from '../../src/domain/protocol/backups.ts';
import { rehearse } from '../commands/rehearse.ts';
import { restore, restoreShared } from '../commands/restore.ts';
import { withBackupFile } from '../commands/stored-backup.ts';
import { printSteps, tellNobody } from '../ops/backup-steps.ts';
import { placesOf } from '../ops/backup-places.ts';
import { readSettings, type Settings } from '../settings/settings.ts';

const USAGE = `npm run restore -- FILE|NAME|latest [--despite-damage]
npm run restore -- FILE|NAME|latest --rehearse
npm run restore -- --list`;

/** Restores a backup, says what that would change, or names the backups there are. Throws readable errors. */
export async function run(words: readonly string[]): Promise<void> {
  const flag = { type: 'boolean', default: false } as const;
  const options = { 'despite-damage': flag, rehearse: flag, list: flag, steps: flag };
  const { values, positionals } = parseArgs({ args: [...words], options, allowPositionals: true });
  const [named] = positionals;
  const settings = readSettings(process.env);
  if (positionals.length > 1 || (named === undefined) !== values.list) throw new Error(USAGE);
  if (named === undefined) return printBackups(settings);
  const key = settings.backupKey;
  // for the server that started this process
  const tell = values.steps ? printSteps(console.log) : tellNobody;
  const task = async (file: string) => {
    if (values.rehearse) {
      const result = await rehearse({ ...settings, file, name: basename(file), key, tell });
      return console.log(values.steps ? JSON.stringify({ result }) : textOf(result));
    }
    return carryOut(settings, file, values['despite-damage']);
  };
  await withBackupFile(settings, named, task, tell);
}

async function carryOut(settings: Settings, file: string, despiteDamage: boolean): Promise<void> {
  const restoring = { ...settings, file, key: settings.backupKey, now: Date.now(), despiteDamage };
  const isShared = settings.databaseUrl !== '';
  const { files, damaged, keptAside } = await (isShared ? restoreShared(restoring) : restore(restoring));
  console.log(`Restored the database and ${files - damaged.length} files.`);
  if (damaged.length > 0) console.log(`Missing or damaged: ${damaged.join(', ')}`);
  if (keptAside !== undefined) console.log(`What was there before is in ${keptAside}.`);
}

async function printBackups(settings: Settings): Promise<void> {
  const places = await placesOf(settings);
  if (places.length === 0) throw new Error('Neither BACKUP_DIR nor BACKUP_URL is set.');
  for (const place of places) {
    console.log(place.address);
    for (const { name, size } of await place.list()) console.log(`  ${name}  ${Math.ceil(size / 1024 ** 2)} MB`);
  }
}

/** A rehearsal, a line for each thing that would differ. */
function textOf({ records, files, people, total, damaged, isNewer }: Rehearsal): string {
  const things = [...Object.entries(records), ['files', files] as const, ['people', people] as const];
  const lines = things
    .filter(([, { back, gone, changed }]) => back + gone + changed > 0)
    .map(([name, { back, gone, changed }]) => `${name}: ${back} would come back, ${gone} be gone, ${changed} change`);
  return [
    `It holds ${total.records} records and ${total.files} files.`,
    ...(lines.length === 0 ? ['A restore would change nothing.'] : lines),
    ...(damaged.length === 0 ? [] : [`Missing or damaged: ${damaged.join(', ')}`]),
    ...(isNewer ? ['It is of a newer release, which has to be installed first.'] : []),
  ].join('\n');
}
