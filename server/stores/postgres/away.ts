import { DatabaseError } from 'pg';

/** The database cannot be reached, or the connection to it was lost: what was asked of it last may have been done or not. */
export class DatabaseAway extends Error {
  readonly code = 'DATABASE_AWAY';

  constructor(cause: unknown) {
    super('The database cannot be reached.', { cause });
  }
}

/** The database can only be read: its server waits to take over from another. */
export class DatabaseReadOnly extends Error {
  /** SQLSTATE, as of a statement that writes. */
  readonly code = '25006';

  constructor() {
    super('The database takes no changes now.');
  }
}

/** SQLSTATE: the server is shutting down, starting or has ended this connection; too many connections. */
const OF_THE_CONNECTION = /^(08|57P0|53300)/;

/** Throws a fault of a statement as it is, and any other as `DatabaseAway`. */
export function asAway(fault: unknown): never {
  const isOfStatement = fault instanceof DatabaseError && !OF_THE_CONNECTION.test(fault.code ?? '');
  throw isOfStatement || fault instanceof DatabaseAway ? fault : new DatabaseAway(fault);
}
