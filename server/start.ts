import './require-node.js';
import { buildApp } from './app.ts';
import { lockDataFolder, takeServerFolder } from './stores/sqlite/sqlite-lock.ts';
import { addFirstAdministrator } from './first-administrator.ts';
import { buildGateway } from './gateway.ts';
import { explainFailure, printWelcome } from './messages.ts';
import { readSettings, type Settings } from './settings.ts';
import { stopOnSignal } from './shutdown.ts';

try {
  const settings = withOwnFolder(readSettings(process.env));
  const app = settings.apiUrl === '' ? await buildApp(settings) : await buildGateway(settings);
  const administrator = settings.apiUrl === '' ? await addFirstAdministrator(app.services) : undefined;
  stopOnSignal(app);
  const address = await app.listen({ host: settings.host, port: settings.port });
  printWelcome(address, administrator, settings);
} catch (error) {
  explainFailure(error);
}

/** Locks the data folder, or this server's part of it if several servers share a database. */
function withOwnFolder(settings: Settings): Settings {
  const { databaseUrl, dataDir } = settings;
  if (databaseUrl !== '') return { ...settings, dataDir: takeServerFolder(dataDir) };
  lockDataFolder(dataDir);
  return settings;
}
