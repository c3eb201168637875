import { CompiledQuery, type DatabaseConnection, type Dialect, PostgresDialect, PostgresDriver } from 'kysely';
import type { Pool } from 'pg';
import { asAway, DatabaseAway } from './away.ts';

/** The lock that whoever writes holds until the commit. Any number; it is this program's own within a database. */
export const WRITERS = 7_215_402_663;

/**
 * Kysely's PostgreSQL dialect with the promise of this store's transactions: they run one after the other, as SQLite's do. The
 * changes are numbered in the order of their commits with that, and what a change has checked holds until it is made.
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

/** Begins transactions with the writers' lock. A connection that fails is told apart from a statement that does. */
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
      // who has waited for the lock too long has begun all the same, and the connection goes back to the others
      await connection.executeQuery(CompiledQuery.raw('rollback')).catch(() => undefined);
      throw error;
    }
  }
}

/** A connection whose faults are told apart: it is the driver's own all the same, which knows it by what it is. */
function watched(connection: DatabaseConnection): DatabaseConnection {
  if (Object.hasOwn(connection, 'executeQuery')) return connection;
  const execute = connection.executeQuery.bind(connection);
  return Object.assign(connection, {
    executeQuery: <Row>(query: CompiledQuery) => execute<Row>(query).catch(asAway),
  });
}
