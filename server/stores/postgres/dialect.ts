import { CompiledQuery, type DatabaseConnection, type Dialect, PostgresDialect, PostgresDriver } from 'kysely';
import type { Pool } from 'pg';
import { asAway, DatabaseAway } from './away.ts';

/** The advisory lock that a writer holds until commit. An arbitrary number, unique to this program within a database. */
export const WRITERS = 7_215_402_663;

/**
 * Kysely's PostgreSQL dialect with this store's guarantee: transactions run one after another, as in SQLite. Changes are
 * therefore numbered in commit order, and what a change has checked still holds when it commits.
 */
export function postgresDialect(pool: Pool): Dialect {
  const dialect = new PostgresDialect({ pool });
  return {
    createDriver: () => new InTurn({ pool }),
    createQueryCompiler: () => dialect.createQueryCompiler(),
    createAdapter: () => dialect.createAdapter(),
    createIntrospector: (db) => dialect.createIntrospector(db),
  };
}

/** Begins transactions with the writers' lock. Distinguishes connection failures from statement failures. */
class InTurn extends PostgresDriver {
  override async acquireConnection(): Promise<DatabaseConnection> {
    const connecting = super.acquireConnection().catch((fault: unknown) => {
      throw new DatabaseAway(fault);
    });
    return watched(await connecting);
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
function watched(connection: DatabaseConnection): DatabaseConnection {
  if (Object.hasOwn(connection, 'executeQuery')) return connection;
  const execute = connection.executeQuery.bind(connection);
  return Object.assign(connection, {
    executeQuery: <Row>(query: CompiledQuery) => execute<Row>(query).catch(asAway),
  });
}
