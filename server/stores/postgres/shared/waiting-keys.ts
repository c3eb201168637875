import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { inFlight } from '../../../errors/refusal.ts';
import type { WaitingBatch, WaitingKeys } from '../../../shared/waiting-keys.ts';
import type { Database } from '../../sql/tables.ts';
import { apart } from '../apart.ts';
import { type Clock, inTime } from './clock.ts';

/** How long a lease lasts and how often a server renews it. Milliseconds. */
const LEASE = 30_000;
const RENEWED_EVERY = 10_000;

/** The class of advisory locks that serialize the batches of one user. */
const BATCHES = 7_215_402;

/**
 * Keys waiting in batches on several servers, each leased. Keys of a dead server remain until their lease expires. Whoever
 * finds an expired key removes it, after which its batch no longer executes that change, even if the batch continues.
 */
export function waitingAmong(db: Database, clock: Clock): WaitingKeys {
  return {
    async add(userId, keys) {
      const batch = randomUUID();
      const elsewhere = await addAll(db, clock, { userId, keys, batch });
      return batchOf(db, clock, { userId, batch, elsewhere });
    },
    async has(userId, key) {
      await sql`DELETE FROM waiting_keys WHERE user_id = ${userId} AND key = ${key} AND until <= ${clock()}`.execute(
        db,
      );
      const { rows } = await sql`SELECT 1 FROM waiting_keys WHERE user_id = ${userId} AND key = ${key}`.execute(db);
      return rows.length > 0;
    },
  };
}

interface NewBatch {
  readonly userId: number;
  readonly keys: readonly string[];
  readonly batch: string;
}

/** Adds a batch and returns its keys that also wait elsewhere. Of two concurrent batches, the second sees the first. */
async function addAll(db: Database, clock: Clock, { userId, keys, batch }: NewBatch): Promise<ReadonlySet<string>> {
  return apart(db, async (own) => {
    await sql`SELECT pg_advisory_xact_lock(${BATCHES}, hashint8(${userId}))`.execute(own);
    const { rows } = await sql<{ key: string }>`SELECT DISTINCT key FROM waiting_keys
      WHERE user_id = ${userId} AND key = ANY(${keys}) AND until > ${clock()}`.execute(own);
    await sql`INSERT INTO waiting_keys (user_id, key, batch, until)
      SELECT DISTINCT ${userId}::bigint, key, ${batch}::uuid, ${inTime(clock, LEASE)} FROM unnest(${keys}::text[]) AS key`.execute(
      own,
    );
    return new Set(rows.map(({ key }) => key));
  });
}

interface OpenBatch {
  readonly userId: number;
  readonly batch: string;
  readonly elsewhere: ReadonlySet<string>;
}

function batchOf(db: Database, clock: Clock, { userId, batch, elsewhere }: OpenBatch): WaitingBatch {
  const own = sql`user_id = ${userId} AND batch = ${batch}`;
  const renew = () => sql`UPDATE waiting_keys SET until = ${inTime(clock, LEASE)} WHERE ${own}`.execute(db);
  const timer = setInterval(() => void renew().catch(() => undefined), RENEWED_EVERY).unref();
  return {
    elsewhere,
    async confirm(key) {
      const { rows } = await sql`SELECT 1 FROM waiting_keys WHERE ${own} AND key = ${key}`.execute(db);
      if (rows.length === 0) throw inFlight();
    },
    // a key that cannot be removed now goes with the batch, or expires
    async done(key) {
      await sql`DELETE FROM waiting_keys WHERE ${own} AND key = ${key}`.execute(db).catch(() => undefined);
    },
    async end() {
      clearInterval(timer);
      await sql`DELETE FROM waiting_keys WHERE ${own}`.execute(db).catch(() => undefined);
    },
  };
}
