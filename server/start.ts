import './require-node.js';
import { buildApp } from './app.ts';
import { addFirstAdministrator } from './first-administrator.ts';
import { explainFailure, printWelcome } from './messages.ts';
import { readSettings } from './settings.ts';
import { stopOnSignal } from './shutdown.ts';

try {
  const settings = readSettings(process.env);
  const app = await buildApp(settings);
  const administrator = await addFirstAdministrator(app.services);
  const address = await app.listen({ host: settings.host, port: settings.port });
  stopOnSignal(app);
  printWelcome(address, administrator);
} catch (error) {
  explainFailure(error);
}
