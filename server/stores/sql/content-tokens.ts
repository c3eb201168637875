import { notFound } from '../../errors/refusal.ts';
import type { ContentTokens } from '../content-tokens.ts';
import { hashOf, type TokenWorld } from './tokens.ts';

const TOKEN_BYTES = 32;
/** Marks the text as a secret of this product, for people and for scanners of leaked secrets. */
const PREFIX = 'voltdesk_';
/** The minimum time between recorded uses: a read must not cost a write. Milliseconds. */
const USE_PRECISION = 60_000;

/** Tokens of the content API, in a table. */
export function contentTokensIn({ db, randomBytes, now }: TokenWorld): ContentTokens {
  const isoTime = (at: number) => new Date(at).toISOString();
  return {
    async list() {
      const rows = await db.selectFrom('content_tokens').selectAll().orderBy('created_at').execute();
      return rows.map(({ hash, name, created_at, used_at }) => ({
        id: hash,
        name,
        createdAt: created_at,
        ...(used_at === null ? {} : { usedAt: used_at }),
      }));
    },
    async make(name) {
      const token = PREFIX + randomBytes(TOKEN_BYTES).toString('base64url');
      const row = { hash: hashOf(token), name, created_at: isoTime(now()), used_at: null };
      await db.insertInto('content_tokens').values(row).execute();
      return token;
    },
    async revoke(id) {
      const revoked = await db.deleteFrom('content_tokens').where('hash', '=', id).returning('name').executeTakeFirst();
      if (revoked === undefined) throw notFound('This token no longer exists.');
      return revoked.name;
    },
    async allows(token) {
      const hash = hashOf(token);
      const known = await db.selectFrom('content_tokens').select('used_at').where('hash', '=', hash).executeTakeFirst();
      if (known === undefined) return false;
      const isNoted = known.used_at !== null && now() - Date.parse(known.used_at) < USE_PRECISION;
      // a full disk must not keep the site from reading
      if (!isNoted) await noteUse(hash).catch(() => undefined);
      return true;
    },
  };

  async function noteUse(hash: string): Promise<void> {
    await db
      .updateTable('content_tokens')
      .set({ used_at: isoTime(now()) })
      .where('hash', '=', hash)
      .execute();
  }
}
