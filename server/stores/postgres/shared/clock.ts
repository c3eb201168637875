import { type RawBuilder, sql } from 'kysely';

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
