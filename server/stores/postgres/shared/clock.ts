import { type RawBuilder, sql } from 'kysely';

/** The present, for statements. */
export type Clock = () => RawBuilder<Date>;

/** The database's own clock, so that no two servers have to agree; or a test's, in epoch milliseconds. */
export function clockOf(now: (() => number) | undefined): Clock {
  return now === undefined ? () => sql`clock_timestamp()` : () => sql`to_timestamp(${now() / 1000}::float8)`;
}

/** So many milliseconds from now, for statements. */
export function inTime(clock: Clock, milliseconds: number): RawBuilder<Date> {
  return sql`(${clock()} + make_interval(secs => ${milliseconds / 1000}))`;
}
