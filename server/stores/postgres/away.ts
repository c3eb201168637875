import { DatabaseError } from 'pg';

/** The database is unreachable or its connection was lost. The last statement may or may not have taken effect. */
export class DatabaseAway extends Error {
  readonly code = 'DATABASE_AWAY';

  constructor(cause: unknown) {
    super('The database cannot be reached.', { cause });
  }
}

/** The database is read-only: its server is a standby. */
export class DatabaseReadOnly extends Error {
  /** The SQLSTATE of a write in a read-only transaction. */
  readonly code = '25006';

  constructor() {
    super('The database takes no changes now.');
  }
}

/** SQLSTATEs of connection faults: the server starts, stops or closes the connection; too many connections. */
const OF_THE_CONNECTION = /^(08|57P0|53300)/;

/** Throws a statement's fault unchanged, and any other as `DatabaseAway`. */
export function asAway(fault: unknown): never {
  const isOfStatement = fault instanceof DatabaseError && !OF_THE_CONNECTION.test(fault.code ?? '');
  throw isOfStatement || fault instanceof DatabaseAway ? fault : new DatabaseAway(fault);
}
