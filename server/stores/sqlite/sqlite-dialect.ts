import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { type Dialect, SqliteAdapter, type SqliteDatabase, SqliteDialect, type SqliteStatement } from 'kysely';

/** Size of the statement cache. The app has fewer statements, but lists of values vary them. */
const KEPT_STATEMENTS = 200;

/** Kysely's SQLite dialect over Node's own SQLite. */
export function nodeSqliteDialect(database: DatabaseSync): Dialect {
  const ready = new Map<string, SqliteStatement>();
  const prepare = (sql: string): SqliteStatement => {
    const known = ready.get(sql);
    if (known !== undefined) return known;
    if (ready.size >= KEPT_STATEMENTS) ready.clear();
    // Takes the write lock at once: a transaction that starts with a read fails if another process has written since.
    const prepared = statementOf(database.prepare(sql === 'begin' ? 'begin immediate' : sql));
    const statement = sql === 'rollback' ? ifInTransaction(database, prepared) : prepared;
    ready.set(sql, statement);
    return statement;
  };
  const adapter: SqliteDatabase = { prepare, close: () => database.close() };
  return new WithWholeMigrations({ database: adapter });
}

/** Kysely migrates SQLite statement by statement, although SQLite rolls back its DDL like everything else. */
class WithWholeMigrations extends SqliteDialect {
  override createAdapter() {
    return new TransactionalAdapter();
  }
}

class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl() {
    return true;
  }
}

/** Skips a ROLLBACK outside of a transaction. On a full disk SQLite rolls back by itself, and a second ROLLBACK would hide the cause. */
function ifInTransaction(database: DatabaseSync, rollback: SqliteStatement): SqliteStatement {
  const unneeded = { changes: 0, lastInsertRowid: 0 };
  return { ...rollback, run: (parameters) => (database.isTransaction ? rollback.run(parameters) : unneeded) };
}

function statementOf(statement: StatementSync): SqliteStatement {
  return {
    reader: statement.columns().length > 0,
    all: (parameters) => statement.all(...bindable(parameters)),
    run: (parameters) => statement.run(...bindable(parameters)),
    iterate: (parameters) => statement.iterate(...bindable(parameters)),
  };
}

function bindable(parameters: readonly unknown[]): SQLInputValue[] {
  return parameters as SQLInputValue[];
}
