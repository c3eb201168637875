import './require-node.js';
import { randomBytes } from 'node:crypto';
import { manageAdministrators } from './commands/admin.ts';
import { noteCommand } from './ops/command-audit.ts';
import { assertDatabase } from './stores/sqlite/database-file.ts';
import { openDatabase } from './stores/sqlite/open.ts';
import { explainFailure } from './messages.ts';
import { PASSWORD_COST, passwordHashing } from './security/passwords.ts';
import { readSettings } from './settings.ts';

try {
  const { dataDir } = readSettings(process.env);
  assertDatabase(dataDir);
  const db = await openDatabase(dataDir);
  const world = { db, passwords: passwordHashing(PASSWORD_COST), randomBytes, now: Date.now };
  const words = process.argv.slice(2);
  console.log(await manageAdministrators(world, words).finally(() => db.destroy()));
  const [audit = '', who = ''] = words;
  if (audit !== 'list') await noteCommand(dataDir, { audit, who, time: world.now() });
} catch (error) {
  explainFailure(error);
}
