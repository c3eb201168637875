import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { type Dialect, type SqliteDatabase, SqliteDialect, type SqliteStatement } from 'kysely';

/** Statements kept ready; the app has fewer, and lists of values vary the rest. */
const KEPT_STATEMENTS = 200;

/** Kysely's SQLite dialect over Node's own SQLite. */
export function nodeSqliteDialect(database: DatabaseSync): Dialect {
  const ready = new Map<string, SqliteStatement>();
  const prepare = (sql: string): SqliteStatement => {
    const known = ready.get(sql);
    if (known !== undefined) return known;
    if (ready.size >= KEPT_STATEMENTS) ready.clear();
    // A write lock from the first statement on: a transaction that began by reading would fail when another process wrote meanwhile.
    const prepared = statementOf(database.prepare(sql === 'begin' ? 'begin immediate' : sql));
    const statement = sql === 'rollback' ? ifInTransaction(database, prepared) : prepared;
    ready.set(sql, statement);
    return statement;
  };
  const adapter: SqliteDatabase = { prepare, close: () => database.close() };
  return new SqliteDialect({ database: adapter });
}

/** On a full disk SQLite takes a transaction back by itself, and a second ROLLBACK would hide why. */
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
