import { HostedServer, ServerHost } from './hosted-server.ts';

/**
 * Runs before any browser test. Prepares the data folder of a new server, with its administrator. A server that starts on a copy
 * creates no tables and hashes no password.
 */
export default async function prepareServer(): Promise<() => Promise<void>> {
  const host = ServerHost.start();
  const server = await HostedServer.start(host, undefined);
  await server.stop();
  process.env['PREPARED_DATA'] = server.dataDir;
  return async () => {
    await server.remove();
    host.end();
  };
}
