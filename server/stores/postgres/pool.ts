import { Socket } from 'node:net';
import { Client, type ClientConfig, Pool, types } from 'pg';

/** What one process asks of a database. */
export interface PoolLimits {
  /** Milliseconds for a statement, and with that for its wait for a lock. */
  readonly statement: number;
  /** Connections: a managed database often allows a hundred in all, for every server and its tools. */
  readonly connections: number;
  /** Seconds for a connection. Behind its address there may be another server by then, as after a failover. */
  readonly lifetime: number;
  /** Milliseconds that nothing may come over a connection, longer than all that may take long: the database's machine is gone, and nobody says so. */
  readonly silence: number;
}

/** While somebody waits for an answer. */
export const FOR_REQUESTS: PoolLimits = { statement: 30_000, connections: 10, lifetime: 60, silence: 65_000 };

/** For bringing the tables up to date, or waiting until another server has. */
export const FOR_MIGRATIONS: PoolLimits = {
  statement: 15 * 60_000,
  connections: 2,
  lifetime: 60,
  silence: 16 * 60_000,
};

/** In milliseconds. */
const LIMITS = {
  /** Until a connection is there. */
  connect: 5_000,
  /** For a transaction that does nothing: its server hangs, and others wait for it. */
  idleInTransaction: 60_000,
  /** Until a connection that only listens is looked after. */
  listening: 10_000,
};

const INT8 = 20;

/**
 * Connections to a database by its address, `postgres://user:password@host:5432/name?sslmode=verify-full`. Whole numbers come as
 * numbers: ids and sizes stay far below 2⁵³.
 */
export function openPool(address: string, limits = FOR_REQUESTS): Pool {
  const { connections: max, lifetime: maxLifetimeSeconds, silence } = limits;
  const pool = new Pool({ ...connectionOf(address, limits), max, maxLifetimeSeconds, stream: () => heard(silence) });
  // An idle connection that ends is no fault of anybody who asks; one in use tells whoever waits for its answer.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => void client.on('error', () => undefined));
  return pool;
}

/** One connection beside the pool, for what a connection has to be kept for. */
export function openClient(address: string): Client {
  return new Client(connectionOf(address, FOR_REQUESTS));
}

function connectionOf(address: string, { statement }: PoolLimits): ClientConfig {
  return {
    connectionString: asLibpqReads(address),
    application_name: 'voltdesk',
    connectionTimeoutMillis: LIMITS.connect,
    statement_timeout: statement,
    idle_in_transaction_session_timeout: LIMITS.idleInTransaction,
    keepAlive: true,
    keepAliveInitialDelayMillis: LIMITS.listening,
    types: { getTypeParser: parserOf },
  };
}

/** A connection that ends when nothing goes over it for so many milliseconds: the system itself would wait for a quarter of an hour. */
function heard(milliseconds: number): Socket {
  const socket = new Socket();
  return socket.setTimeout(milliseconds, () => socket.destroy(new Error('The database does not answer.')));
}

/** `sslmode` means what it means everywhere else: `require` encrypts and looks at no certificate. */
function asLibpqReads(address: string): string {
  return address.includes('sslmode=') ? `${address}&uselibpqcompat=true` : address;
}

function parserOf(oid: number, format?: 'text' | 'binary') {
  return oid === INT8 ? Number : types.getTypeParser(oid, format);
}
