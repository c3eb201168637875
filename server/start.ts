import './require-node.js';
import type { FastifyInstance } from 'fastify';
import { sweepWorkFolders } from './commands/work-folder.ts';
import { lockDataFolder, takeServerFolder } from './stores/sqlite/sqlite-lock.ts';
import { addFirstAdministrator } from './accounts/first-administrator.ts';
import { explainFailure, printFirstSignIn, printWelcome } from './ops/messages.ts';
import { readSettings, type Settings } from './settings/settings.ts';
import { stopOnSignal } from './ops/shutdown.ts';

try {
  const settings = await withOwnFolder(readSettings(process.env));
  await serve(await build(settings), settings);
} catch (error) {
  explainFailure(error);
}

/** Builds the server of an own database, or the gateway. Neither loads the packages of the other. */
async function build(settings: Settings): Promise<FastifyInstance> {
  if (settings.apiUrl === '') return (await import('./app.ts')).buildApp(settings);
  return (await import('./gateway.ts')).buildGateway(settings);
}

/** Serves a built app. Closes it if that fails: a connection to its database would keep the process running. */
async function serve(app: FastifyInstance, settings: Settings): Promise<void> {
  stopOnSignal(app);
  try {
    const administrator = settings.apiUrl === '' ? await addFirstAdministrator(app.services) : undefined;
    // at once: the next start will not know the password, and this one may be unable to listen
    if (administrator !== undefined) printFirstSignIn(administrator, settings);
    printWelcome(await app.listen({ host: settings.host, port: settings.port }), settings);
  } catch (error) {
    await app.close();
    throw error;
  }
}

/** Locks the data folder, or this server's part of it if several servers share a database. */
async function withOwnFolder(settings: Settings): Promise<Settings> {
  const { databaseUrl, dataDir } = settings;
  await sweepWorkFolders(dataDir);
  if (databaseUrl !== '') return { ...settings, dataDir: takeServerFolder(dataDir) };
  lockDataFolder(dataDir, 'serve');
  return settings;
}
