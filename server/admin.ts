import './require-node.js';
import { randomBytes } from 'node:crypto';
import { manageAdministrators } from './commands/admin.ts';
import { noteCommand } from './ops/command-audit.ts';
import { openBeside } from './commands/installation.ts';
import { explainFailure } from './messages.ts';
import { PASSWORD_COST, passwordHashing } from './security/passwords.ts';
import { readSettings } from './settings.ts';

try {
  const settings = readSettings(process.env);
  const db = await openBeside(settings);
  const world = { db, passwords: passwordHashing(PASSWORD_COST), randomBytes, now: Date.now };
  const words = process.argv.slice(2);
  console.log(await manageAdministrators(world, words).finally(() => db.destroy()));
  const [audit = '', who = ''] = words;
  if (audit !== 'list') await noteCommand(settings.dataDir, { audit, who, time: world.now() });
} catch (error) {
  explainFailure(error);
}
