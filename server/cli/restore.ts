import { parseArgs } from 'node:util';
import { restore, restoreShared } from '../commands/restore.ts';
import { readSettings } from '../settings/settings.ts';

const USAGE = 'npm run restore -- FILE [--despite-damage]';

/** Restores a backup. Throws readable errors. */
export async function run(words: readonly string[]): Promise<void> {
  const options = { 'despite-damage': { type: 'boolean', default: false } } as const;
  const { values, positionals } = parseArgs({ args: [...words], options, allowPositionals: true });
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
}
