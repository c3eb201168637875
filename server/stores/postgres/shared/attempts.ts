import { sql } from 'kysely';
import { type Attempts, type Limit, nameOf, WINDOW } from '../../../shared/attempts.ts';
import type { Database } from '../../sql/tables.ts';
import { apart } from '../apart.ts';
import { type Clock, inTime } from './clock.ts';

/** Counts attempts across all servers. */
export function attemptsAmong(db: Database, clock: Clock): Attempts {
  return {
    take: (limits) =>
      apart(db, async (own) => {
        const counted = await lockTries(own, clock, limits);
        const mostOf = new Map(limits.map(({ key, most }) => [nameOf(key), most]));
        const waits = counted.map(({ name, count, wait }) => (count < (mostOf.get(name) ?? 0) ? 0 : wait));
        const longest = Math.max(...waits);
        if (longest > 0) return Math.ceil(longest);
        await sql`UPDATE tries SET made = made || ${clock()}, until = ${inTime(clock, WINDOW)}
          WHERE name = ANY(${[...mostOf.keys()]})`.execute(own);
        return undefined;
      }),
    refund: (limits) =>
      apart(db, async (own) => {
        await lockTries(own, clock, limits);
        await sql`UPDATE tries SET made = made[:cardinality(made) - 1]
          WHERE name = ANY(${limits.map(({ key }) => nameOf(key))}) `.execute(own);
      }),
  };
}

/** The attempts of a key, and the seconds until its oldest one no longer counts. */
interface Counted {
  readonly name: string;
  readonly count: number;
  readonly wait: number;
}

/**
 * Locks and returns the attempts that count, until the transaction ends. A fixed lock order prevents deadlocks. Attempts of a
 * clock that was set back since count as made now, so that none waits for longer than the window.
 */
async function lockTries(own: Database, clock: Clock, limits: readonly Limit[]): Promise<Counted[]> {
  const names = limits.map(({ key }) => nameOf(key));
  const { rows } = await sql<Counted>`
    INSERT INTO tries AS present (name, made, until)
    SELECT DISTINCT name, '{}'::timestamptz[], ${inTime(clock, WINDOW)} FROM unnest(${names}::text[]) AS name ORDER BY name
    ON CONFLICT (name) DO UPDATE SET made =
      ARRAY(SELECT least(at, ${clock()}) FROM unnest(present.made) AS at WHERE at > ${inTime(clock, -WINDOW)} ORDER BY 1)
    RETURNING name, cardinality(made) AS count, extract(epoch FROM made[1] - ${inTime(clock, -WINDOW)})::float8 AS wait`.execute(
    own,
  );
  return rows;
}
