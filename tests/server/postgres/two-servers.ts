import { startServer, signedIn } from '../harness.ts';
import '../on-postgres.ts';

/** Two servers on one database, with one session that is valid on both. */
export async function twoServers(environment: Record<string, string> = {}) {
  const one = await signedIn(environment);
  const other = await startServer({ DATA_DIR: one.dataDir, ...environment });
  const there = await other.client();
  there.useBearer(one.admin.bearer());
  await there.get('/api/user');
  return { one, other, here: one.admin, there };
}
