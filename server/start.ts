import './require-node.js';
import { buildApp } from './app.ts';
import { lockDataFolder } from './stores/sqlite/sqlite-lock.ts';
import { addFirstAdministrator } from './first-administrator.ts';
import { buildGateway } from './gateway.ts';
import { explainFailure, printWelcome } from './messages.ts';
import { readSettings } from './settings.ts';
import { stopOnSignal } from './shutdown.ts';

try {
  const settings = readSettings(process.env);
  lockDataFolder(settings.dataDir);
  const app = settings.apiUrl === '' ? await buildApp(settings) : await buildGateway(settings);
  const administrator = settings.apiUrl === '' ? await addFirstAdministrator(app.services) : undefined;
  stopOnSignal(app);
  const address = await app.listen({ host: settings.host, port: settings.port });
  printWelcome(address, administrator, settings);
} catch (error) {
  explainFailure(error);
}
