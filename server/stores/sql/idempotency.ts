import { sql } from 'kysely';
import { isSamePayload } from '../../protocol/idempotency-key.ts';
import { keyReused } from '../../errors/refusal.ts';
import type { ChangeAnswer, IdempotencyKey } from '../store.ts';
import type { SendersKey } from './running.ts';
import type { Database, Writing } from './tables.ts';

/** A sender's key for a change, and the fingerprint of the change. */
export type Key = SendersKey & IdempotencyKey;

/** The stored answer to a key, or undefined. Throws 422 if the key was used with another payload. */
export async function storedAnswer(db: Database, key: Key): Promise<ChangeAnswer | undefined> {
  const stored = await storedUnder(db, key);
  if (stored === undefined || isSamePayload(stored, key)) return stored?.answer;
  throw keyReused();
}

/** The answer stored under a sender's key, and the fingerprint of its change. Undefined if none took effect. */
export async function storedUnder(db: Database, { userId, key }: SendersKey) {
  const row = await db
    .selectFrom('idempotency_keys')
    .select(['fingerprint', 'body'])
    .where('user_id', '=', userId)
    .where('key', '=', key)
    .executeTakeFirst();
  return row && { fingerprint: row.fingerprint, answer: JSON.parse(row.body) as ChangeAnswer };
}

/**
 * Stores the answer together with the change. It is kept forever: an outbox has no age limit, so neither has the proof that
 * its change took effect. A row takes a few hundred bytes.
 */
export async function storeAnswer(writing: Writing, key: Key, answer: ChangeAnswer, at: string): Promise<void> {
  await writing
    .insertInto('idempotency_keys')
    .values({
      user_id: key.userId,
      key: key.key,
      fingerprint: key.fingerprint,
      status: 200,
      body: JSON.stringify(answer),
      created_at: at,
      // its change has its number already: triggers give it
      made_by: sql<number>`(SELECT COALESCE(MAX(seq), 0) FROM feed)`,
    })
    .execute();
}
