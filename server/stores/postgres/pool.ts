import { Client, type ClientConfig, Pool, types } from 'pg';

/** Connections of one server: a managed database often allows a hundred in all, for every server and its tools. */
const MOST_CONNECTIONS = 10;

/** In milliseconds. */
const LIMITS = {
  /** Until a connection is there. */
  connect: 5_000,
  /** For a statement, and with that for its wait for a lock. */
  statement: 30_000,
  /** For a transaction that does nothing: its server hangs, and others wait for it. */
  idleInTransaction: 60_000,
};

const INT8 = 20;

/**
 * Connections to a database by its address, `postgres://user:password@host:5432/name?sslmode=verify-full`. Whole numbers come as
 * numbers: ids and sizes stay far below 2⁵³.
 */
export function openPool(address: string): Pool {
  const pool = new Pool({ ...connectionOf(address), max: MOST_CONNECTIONS });
  // An idle connection that ends is no fault of anybody who asks; one in use tells whoever waits for its answer.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => void client.on('error', () => undefined));
  return pool;
}

/** One connection beside the pool, for what a connection has to be kept for. */
export function openClient(address: string): Client {
  return new Client(connectionOf(address));
}

function connectionOf(address: string): ClientConfig {
  return {
    connectionString: address,
    application_name: 'voltdesk',
    connectionTimeoutMillis: LIMITS.connect,
    statement_timeout: LIMITS.statement,
    idle_in_transaction_session_timeout: LIMITS.idleInTransaction,
    keepAlive: true,
    types: { getTypeParser: parserOf },
  };
}

function parserOf(oid: number, format?: 'text' | 'binary') {
  return oid === INT8 ? Number : types.getTypeParser(oid, format);
}
