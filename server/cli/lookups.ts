import { manageLookups } from '../commands/lookups.ts';
import { openBeside } from '../commands/installation.ts';
import { readSettings } from '../settings/settings.ts';

/** Manages the lists to choose from: series, types, brands. Throws readable errors. */
export async function run(words: readonly string[]): Promise<void> {
  const settings = readSettings(process.env);
  const db = await openBeside(settings);
  console.log(await manageLookups(db, words).finally(() => db.destroy()));
}
