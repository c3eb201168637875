import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../../sql/tables.ts';

/** The current time, as an SQL expression. */
export type Clock = () => RawBuilder<Date>;

/** The database's clock, so that servers' clocks need not agree, or a test's in epoch milliseconds. */
export function clockOf(now: (() => number) | undefined): Clock {
  return now === undefined ? () => sql`clock_timestamp()` : () => sql`to_timestamp(${now() / 1000}::float8)`;
}

/** The time this many milliseconds from now, as an SQL expression. */
export function inTime(clock: Clock, milliseconds: number): RawBuilder<Date> {
  return sql`(${clock()} + make_interval(secs => ${milliseconds / 1000}))`;
}

/** Clocks that differ by more than this confuse whoever compares times. Milliseconds. */
const TOLERATED = 30_000;

/** Says how far this server's clock, in epoch milliseconds, is from that of its database. Undefined if they agree. */
export async function clockProblem(db: Database, now: number): Promise<string | undefined> {
  const { rows } = await sql<{ at: Date }>`SELECT clock_timestamp() AS at`.execute(db);
  const ahead = now - (rows[0]?.at.getTime() ?? now);
  if (Math.abs(ahead) <= TOLERATED) return undefined;
  const seconds = Math.round(Math.abs(ahead) / 1000);
  return `The clock of this server is ${seconds} seconds ${ahead > 0 ? 'ahead of' : 'behind'} that of its database. Times in history and sessions are wrong until it is set.`;
}
