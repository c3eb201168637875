import { Socket } from 'node:net';
import { Client, type ClientConfig, Pool, types } from 'pg';
import { share } from './share.ts';

/** Limits of one process's connections to a database. */
export interface PoolLimits {
  /** Time-out of a statement, including its wait for a lock. Milliseconds. */
  readonly statement: number;
  /** The most connections. A managed database often allows a hundred in total, for all servers and tools. */
  readonly connections: number;
  /** The longest life of a connection, in seconds. After a failover, its address may lead to another server. */
  readonly lifetime: number;
  /** Closes a silent connection, whose machine may be gone. Longer than a statement's time-out. Milliseconds. */
  readonly silence: number;
  /** Time-out of a wait for a lock, such as the writers'. Milliseconds. */
  readonly lock: number;
  /** Ends an idle transaction: its server hangs, and others wait for it. Milliseconds. */
  readonly idle: number;
  /** False for whoever has the installation alone. */
  readonly shares?: boolean;
}

/** For requests, while a client waits for the answer. */
export const FOR_REQUESTS: PoolLimits = {
  statement: 30_000,
  connections: 10,
  lifetime: 60,
  silence: 65_000,
  lock: 10_000,
  idle: 5_000,
};

/** For migrating the tables, or waiting until another server has. */
export const FOR_MIGRATIONS: PoolLimits = {
  statement: 15 * 60_000,
  connections: 2,
  lifetime: 60,
  silence: 16 * 60_000,
  lock: 15 * 60_000,
  idle: 60_000,
};

/** For replacing the content of a database, which nobody else uses meanwhile. */
export const FOR_COMMANDS: PoolLimits = { ...FOR_MIGRATIONS, connections: 10, lifetime: 0, idle: 15 * 60_000 };

/** Milliseconds. */
const LIMITS = {
  /** For establishing a connection. */
  connect: 5_000,
  /** Before the first keep-alive probe on an idle connection, such as one that only listens. */
  listening: 10_000,
};

const INT8 = 20;

/**
 * Opens a pool for an address like `postgres://user:password@host:5432/name?sslmode=verify-full`. BIGINT values are read as
 * numbers: ids and sizes stay far below 2⁵³.
 */
export function openPool(address: string, limits = FOR_REQUESTS): Pool {
  const { connections: max, lifetime: maxLifetimeSeconds, silence, shares = true } = limits;
  const pool = new Pool({
    ...connectionOf(address, limits),
    max,
    maxLifetimeSeconds,
    stream: () => heard(silence),
    ...(shares ? { onConnect: share } : {}),
  });
  // The end of an idle connection concerns no request. A connection in use rejects its pending query.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => void client.on('error', () => undefined));
  return pool;
}

/** The connections of one process. */
export interface Pools {
  /** For single statements, which wait for no writer. */
  readonly reading: Pool;
  /** For transactions, most of which wait for their turn. */
  readonly writing: Pool;
}

/** Opens a pool for reads and one for transactions: while one writer hangs, the others wait without taking what reads need. */
export function openPools(address: string, limits: PoolLimits): Pools {
  const writers = Math.max(1, Math.floor(limits.connections / 2));
  const readers = Math.max(1, limits.connections - writers);
  return {
    reading: openPool(address, { ...limits, connections: readers }),
    writing: openPool(address, { ...limits, connections: writers }),
  };
}

/** Creates a connection outside the pool, for uses that must keep it. */
export function openClient(address: string): Client {
  return new Client(connectionOf(address, FOR_REQUESTS));
}

function connectionOf(address: string, { statement, lock, idle }: PoolLimits): ClientConfig {
  return {
    connectionString: asLibpqReads(address),
    application_name: 'voltdesk',
    connectionTimeoutMillis: LIMITS.connect,
    statement_timeout: statement,
    lock_timeout: lock,
    idle_in_transaction_session_timeout: idle,
    keepAlive: true,
    keepAliveInitialDelayMillis: LIMITS.listening,
    types: { getTypeParser: parserOf },
  };
}

/** Creates a socket that closes after this many silent milliseconds. The system would wait a quarter of an hour. */
function heard(milliseconds: number): Socket {
  const socket = new Socket();
  return socket.setTimeout(milliseconds, () => socket.destroy(new Error('The database does not answer.')));
}

/** Gives `sslmode` its usual libpq meaning: `require` encrypts without checking the certificate. */
function asLibpqReads(address: string): string {
  return address.includes('sslmode=') ? `${address}&uselibpqcompat=true` : address;
}

function parserOf(oid: number, format?: 'text' | 'binary') {
  return oid === INT8 ? Number : types.getTypeParser(oid, format);
}
