import { randomBytes } from 'node:crypto';
import { manageAdministrators } from '../commands/admin.ts';
import { noteCommand } from '../ops/command-audit.ts';
import { openBeside } from '../commands/installation.ts';
import { PASSWORD_COST, passwordHashing } from '../security/passwords.ts';
import { readSettings } from '../settings/settings.ts';

/** Manages administrators: lists, adds, removes them, resets a password or a second factor. Throws readable errors. */
export async function run(words: readonly string[]): Promise<void> {
  const settings = readSettings(process.env);
  const db = await openBeside(settings);
  const world = { db, passwords: passwordHashing(PASSWORD_COST), randomBytes, now: Date.now };
  console.log(await manageAdministrators(world, words).finally(() => db.destroy()));
  const [audit = '', who = ''] = words;
  if (audit !== 'list') await noteCommand(settings.dataDir, { audit, who, time: world.now() });
}
