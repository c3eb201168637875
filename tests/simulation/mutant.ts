import type { Dexie } from 'dexie';
import type { OutboxEntry } from '../../src/domain/outbox/vocabulary.ts';
import type { Environment } from '../../src/offline/storage/environment.ts';
import type { Schedule } from './scenario/schedule.ts';
import type { ServerName } from './servers/server.ts';
import type { Context, Device, Tamper } from './world/device.ts';

/** How a bug is injected from outside: on the wire, or between Dexie and its database. */

/** A bug that a sender could have. */
export interface Mutant {
  /** The servers on which it does harm. */
  readonly servers: readonly ServerName[];
  readonly tamper: Tamper;
  /** Worlds in which it can do harm. Defaults to any. */
  readonly schedule?: (seed: string) => Schedule;
}

export type Fetch = Environment['fetch'];
type Kind = Context['kind'];

export const BOTH: readonly ServerName[] = ['own', 'contract-only'];

/** A bug in what is sent. */
export function onTheWire(
  servers: readonly ServerName[],
  change: (fetch: Fetch, environment: Environment) => Fetch,
): Mutant {
  return { servers, tamper: (given) => ({ ...given, fetch: change(given.fetch, given) }) };
}

/** A bug in what is stored: changes rows as they are read or written. */
export function inStorage(
  servers: readonly ServerName[],
  rules: (kind: Kind, device: Device, environment: Environment) => Rules,
): Mutant {
  return {
    servers,
    tamper: (given, kind, device) => {
      meddle(given.outbox, rules(kind, device, given));
      return given;
    },
  };
}

interface Rules {
  /** Changes a row that is read. Undefined hides it. */
  readonly read?: (table: string, row: Row) => Row | undefined;
  /** Changes a row that is written. */
  readonly write?: (table: string, row: Row) => Row;
}

export type Row = Readonly<Record<string, unknown>>;

/** A rule for entries only. */
export function entryRule<T extends OutboxEntry | undefined>(rule: (entry: OutboxEntry) => T) {
  return (table: string, row: Row) =>
    table === 'entries'
      ? (rule(row as unknown as OutboxEntry) as unknown as T extends undefined ? Row | undefined : Row)
      : row;
}

/** A fabricated answer. */
export function made(status: number, body: object): Response {
  const response = new Response(null, { status, headers: { 'content-type': 'application/json' } });
  return Object.defineProperty(response, 'text', { value: async () => JSON.stringify(body) });
}

/** Inserts rules between Dexie and its database. */
function meddle(database: Dexie, { read = (_, row) => row, write = (_, row) => row }: Rules): void {
  database.use({
    stack: 'dbcore',
    name: 'mutant',
    create: (core) => ({
      ...core,
      table: (name) => {
        const table = core.table(name);
        const seen = (row: unknown) => (isRow(row) ? read(name, row) : row);
        return {
          ...table,
          // Uses Dexie's own promises. `await` would leave the transaction, which would then end too early.
          get: (request) => table.get(request).then(seen),
          getMany: (request) => table.getMany(request).then((rows) => rows.map(seen)),
          query: (request) =>
            table.query(request).then((found) => {
              if (request.values === false) return found;
              return { ...found, result: found.result.map(seen).filter((row: unknown) => row !== undefined) };
            }),
          mutate: (request) => {
            if (request.type !== 'add' && request.type !== 'put') return table.mutate(request);
            const values = request.values.map((row: unknown) => (isRow(row) ? write(name, row) : row));
            return table.mutate({ ...request, values });
          },
        };
      },
    }),
  });
}

function isRow(row: unknown): row is Row {
  return typeof row === 'object' && row !== null;
}
