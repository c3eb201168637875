import { TestServer } from './server.ts';

/**
 * Runs before any browser test. Prepares the data folder of a new server: starting on a copy takes three fifths of the
 * processor time, since the password of its administrator is hashed already.
 */
export default async function prepareServer(): Promise<() => Promise<void>> {
  const server = await TestServer.start();
  await server.stop();
  process.env['PREPARED_DATA'] = server.dataDir;
  return () => server.remove();
}
