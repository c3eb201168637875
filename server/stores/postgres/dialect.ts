import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  PostgresDialect,
  PostgresDriver,
} from 'kysely';
import type { Pool } from 'pg';
import { asAway, DatabaseAway } from './away.ts';

/** The advisory lock that a writer holds until commit. An arbitrary number, unique to this program within a database. */
export const WRITERS = 7_215_402_663;

/**
 * Kysely's PostgreSQL dialect with this store's guarantee: transactions run one after another, as in SQLite. Changes are
 * therefore numbered in commit order, and what a change has checked still holds when it commits. Transactions that wait for their turn
 * take no connection of the others, if they have a pool of their own.
 */
export function postgresDialect(pool: Pool, writers = pool): Dialect {
  const dialect = new PostgresDialect({ pool });
  return {
    createDriver: () => new Divided(new InTurn({ pool }), writers === pool ? undefined : new InTurn({ pool: writers })),
    createQueryCompiler: () => dialect.createQueryCompiler(),
    createAdapter: () => dialect.createAdapter(),
    createIntrospector: (db) => dialect.createIntrospector(db),
  };
}

type PostgresConnection = Parameters<PostgresDriver['releaseConnection']>[0];

/** Takes a connection for reading or for a transaction, as its first use shows. */
class Divided implements Driver {
  readonly #reading: InTurn;
  readonly #writing: InTurn;

  constructor(reading: InTurn, writing = reading) {
    this.#reading = reading;
    this.#writing = writing;
  }

  async init(): Promise<void> {
    await this.#reading.init();
    if (this.#writing !== this.#reading) await this.#writing.init();
  }

  async acquireConnection(): Promise<Undecided> {
    return new Undecided(this.#reading);
  }

  async beginTransaction(connection: Undecided): Promise<void> {
    const { driver, taken } = await connection.take(this.#writing);
    await driver.beginTransaction(taken);
  }

  async commitTransaction(connection: Undecided): Promise<void> {
    const { driver, taken } = await connection.take(this.#writing);
    await driver.commitTransaction(taken);
  }

  async rollbackTransaction(connection: Undecided): Promise<void> {
    const { driver, taken } = await connection.take(this.#writing);
    await driver.rollbackTransaction(taken);
  }

  async releaseConnection(connection: Undecided): Promise<void> {
    await connection.release();
  }

  async destroy(): Promise<void> {
    await this.#reading.destroy();
    if (this.#writing !== this.#reading) await this.#writing.destroy();
  }
}

/** A connection, and the driver that it belongs to. */
interface Taken {
  readonly driver: InTurn;
  readonly taken: PostgresConnection;
}

/** A connection that is taken with its first use. */
class Undecided implements DatabaseConnection {
  readonly #reading: InTurn;
  #taking: Promise<Taken> | undefined;

  constructor(reading: InTurn) {
    this.#reading = reading;
  }

  /** The connection, of this driver if none has been taken yet. */
  take(driver: InTurn): Promise<Taken> {
    this.#taking ??= driver.acquireConnection().then((taken) => ({ driver, taken }));
    return this.#taking;
  }

  async executeQuery<Row>(query: CompiledQuery) {
    const { taken } = await this.take(this.#reading);
    return taken.executeQuery<Row>(query);
  }

  async *streamQuery<Row>(query: CompiledQuery, size: number) {
    const { taken } = await this.take(this.#reading);
    yield* taken.streamQuery<Row>(query, size);
  }

  async release(): Promise<void> {
    const taken = await this.#taking?.catch(() => undefined);
    await taken?.driver.releaseConnection(taken.taken);
  }
}

/** Begins transactions with the writers' lock. Distinguishes connection failures from statement failures. */
class InTurn extends PostgresDriver {
  override async acquireConnection(): Promise<PostgresConnection> {
    const connecting = super.acquireConnection().catch((fault: unknown) => {
      throw new DatabaseAway(fault);
    });
    return watched((await connecting) as PostgresConnection);
  }

  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    const begin = `begin isolation level read committed; select pg_advisory_xact_lock(${WRITERS})`;
    try {
      await connection.executeQuery(CompiledQuery.raw(begin));
    } catch (error) {
      // after a time-out on the lock the transaction is still open, and the connection returns to the pool
      await connection.executeQuery(CompiledQuery.raw('rollback')).catch(() => undefined);
      throw error;
    }
  }
}

/** Makes a connection distinguish its faults. Patches the driver's own object, because the driver expects that back. */
function watched(connection: PostgresConnection): PostgresConnection {
  if (Object.hasOwn(connection, 'executeQuery')) return connection;
  const execute = connection.executeQuery.bind(connection);
  return Object.assign(connection, {
    executeQuery: <Row>(query: CompiledQuery) => execute<Row>(query).catch(asAway),
  });
}
