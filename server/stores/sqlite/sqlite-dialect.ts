import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { type Dialect, SqliteAdapter, type SqliteDatabase, SqliteDialect, type SqliteStatement } from 'kysely';
import { withPath } from './sqlite.ts';

/** Size of the statement cache. The app has fewer statements, but lists of values vary them. */
const KEPT_STATEMENTS = 200;

/** Who follows the writing of this process. */
export interface Watch {
  /** Called ahead of every transaction, which fails if this throws. */
  readonly beforeWriting?: () => void;
  /** Called after every statement that may have written. */
  readonly afterWriting?: () => void;
}

/** Kysely's SQLite dialect over Node's own SQLite. */
export function nodeSqliteDialect(database: DatabaseSync, { beforeWriting, afterWriting }: Watch = {}): Dialect {
  const ready = new Map<string, SqliteStatement>();
  const prepare = (sql: string): SqliteStatement => {
    const known = ready.get(sql);
    if (known !== undefined) return known;
    if (ready.size >= KEPT_STATEMENTS) ready.clear();
    // Takes the write lock at once: a transaction that starts with a read fails if another process has written since.
    const prepared = named(database, () =>
      statementOf(database, database.prepare(sql === 'begin' ? 'begin immediate' : sql)),
    );
    const statement = followed(sql, special(sql, prepared));
    ready.set(sql, statement);
    return statement;
  };
  const special = (sql: string, prepared: SqliteStatement) => {
    if (sql === 'rollback') return ifInTransaction(database, prepared);
    if (sql !== 'begin' || beforeWriting === undefined) return prepared;
    return { ...prepared, run: (parameters: readonly unknown[]) => (beforeWriting(), prepared.run(parameters)) };
  };
  const followed = (sql: string, statement: SqliteStatement): SqliteStatement =>
    afterWriting === undefined || READS_ONLY.test(sql) ? statement : thenCalling(statement, afterWriting);
  const adapter: SqliteDatabase = { prepare, close: () => database.close() };
  return new WithWholeMigrations({ database: adapter });
}

const READS_ONLY = /^\s*select\b/i;

function thenCalling(statement: SqliteStatement, after: () => void): SqliteStatement {
  const then =
    <T>(work: (parameters: readonly unknown[]) => T) =>
    (parameters: readonly unknown[]): T => {
      try {
        return work(parameters);
      } finally {
        after();
      }
    };
  return {
    ...statement,
    all: then(statement.all),
    run: then(statement.run),
    *iterate(parameters) {
      try {
        yield* statement.iterate(parameters);
      } finally {
        after();
      }
    },
  };
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

/** Runs a task on a database, whose errors then name its file. */
function named<T>(database: DatabaseSync, task: () => T): T {
  try {
    return task();
  } catch (error) {
    throw withPath(error, database.location() ?? '');
  }
}

function statementOf(database: DatabaseSync, statement: StatementSync): SqliteStatement {
  return {
    reader: statement.columns().length > 0,
    all: (parameters) => named(database, () => statement.all(...bindable(parameters))),
    run: (parameters) => named(database, () => statement.run(...bindable(parameters))),
    iterate: (parameters) => statement.iterate(...bindable(parameters)),
  };
}

function bindable(parameters: readonly unknown[]): SQLInputValue[] {
  return parameters as SQLInputValue[];
}
