import { afterAll, beforeAll } from 'vitest';
import { openPostgres } from '../../server/stores/postgres/open.ts';
import { openPostgresEngine } from '../../server/stores/postgres/store.ts';
import { type Cluster, startCluster } from '../harness/postgres.ts';
import { keepRecordsIn } from './harness.ts';

const TEMPLATE = 'empty';
let cluster: Cluster;
/** By data folder, so that a restarted server finds its data. */
const databases = new Map<string, Promise<string>>();

beforeAll(async () => {
  cluster = await startCluster();
  await cluster.run(`CREATE DATABASE ${TEMPLATE}`);
  const db = await openPostgres(cluster.address(TEMPLATE));
  await db.destroy();
});

afterAll(async () => {
  keepRecordsIn();
  await ahead?.catch(() => undefined);
  await cluster.stop();
});

/** The address of the database that belongs to a data folder. */
function databaseOf(dataDir: string): Promise<string> {
  const known = databases.get(dataDir);
  if (known !== undefined) return known;
  const taken = ahead ?? makeDatabase();
  databases.set(dataDir, taken);
  ahead = taken.then(makeDatabase);
  // The test that takes it sees the error.
  ahead.catch(() => undefined);
  return taken;
}

/** The next database, created while a test uses the previous one. */
let ahead: Promise<string> | undefined;
let made = 0;

async function makeDatabase(): Promise<string> {
  const name = `test_${made}`;
  made += 1;
  // A third less work than logging every page.
  await cluster.run(`CREATE DATABASE ${name} TEMPLATE ${TEMPLATE} STRATEGY FILE_COPY`);
  return cluster.address(name);
}

/** Lets the server of another data folder use the database of this one. */
export function shareDatabase(dataDir: string, other: string): void {
  databases.set(other, databaseOf(dataDir));
}

/** A database that no server has used. */
export async function untouchedDatabase(name = 'untouched'): Promise<string> {
  await cluster.run(`CREATE DATABASE ${name}`);
  return cluster.address(name);
}

/** Alters the database of a data folder and terminates its connections. */
export async function alterDatabase(dataDir: string, change: string): Promise<void> {
  const [, name = ''] = /\/(\w+)\?/.exec(await databaseOf(dataDir)) ?? [];
  await cluster.run(
    `ALTER DATABASE ${name} ${change}`,
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`,
  );
}

/** The address of a database by its name. */
export function addressOf(name: string): string {
  return cluster.address(name);
}

/** Runs statements as the cluster's administrator. */
export function asAdministrator(...statements: readonly string[]): Promise<void> {
  return cluster.run(...statements);
}

keepRecordsIn({
  openEngine: async (dataDir) => openPostgresEngine(await databaseOf(dataDir)),
  openDatabase: async (dataDir) => openPostgres(await databaseOf(dataDir)),
});
