import type { LinkFacts, LinkPurpose } from '../../../src/domain/protocol/people.ts';
import type { Role } from '../../../src/domain/roles.ts';
import { Refusal } from '../../errors/refusal.ts';
import type { NewLink } from '../people.ts';
import type { Database, StoredLink, Writing } from './tables.ts';
import { hashOf, type TokenWorld } from './tokens.ts';

const TOKEN_BYTES = 32;
const HOUR = 60 * 60 * 1000;

/** Lifetimes of links. Milliseconds. */
const LIFETIMES: Readonly<Record<LinkPurpose, number>> = {
  invitation: 7 * 24 * HOUR,
  reset: 24 * HOUR,
  forgotten: HOUR,
};

interface Wanted {
  readonly purpose: LinkPurpose;
  /** The user whose password it sets. */
  readonly userId?: number;
  readonly name: string;
  readonly email: string;
  readonly role: Role;
  /** The owner who makes it. */
  readonly madeBy?: number;
}

/**
 * Creates a link and replaces earlier ones for the same address. Anybody can ask for one because of a forgotten password, so that
 * replaces only such ones. Stores only the hash of its token.
 */
export async function makeLink({ db, randomBytes, now }: TokenWorld, wanted: Wanted): Promise<NewLink> {
  const { purpose, userId, name, email, role, madeBy } = wanted;
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  const times = { created_at: isoTime(now()), expires_at: isoTime(now() + LIFETIMES[purpose]) };
  await db.transaction().execute(async (writing) => {
    const earlier = writing.deleteFrom('links').where('email', '=', email.toLowerCase());
    await (purpose === 'forgotten' ? earlier.where('purpose', '=', purpose) : earlier).execute();
    await writing.deleteFrom('links').where('expires_at', '<=', isoTime(now())).execute();
    const row = { hash: hashOf(token), purpose, user_id: userId ?? null, name, email: email.toLowerCase(), role };
    await writing
      .insertInto('links')
      .values({ ...row, ...times })
      .execute();
    if (madeBy !== undefined)
      await writing.insertInto('link_makers').values({ link: row.hash, user_id: madeBy }).execute();
  });
  return { token, name, email, expiresAt: times.expires_at };
}

/** The valid links: not expired, and made by somebody who may still make them. */
export function livingLinks(db: Database, now: number) {
  return db
    .selectFrom('links')
    .selectAll()
    .where('expires_at', '>', isoTime(now))
    .where(({ not, exists, selectFrom }) => {
      const owners = selectFrom('users').select('users.id').where('users.role', '=', 'owner');
      const makers = selectFrom('link_makers').select('link').whereRef('link', '=', 'links.hash');
      return not(exists(makers.where('link_makers.user_id', 'not in', owners)));
    });
}

/** The row of a valid link. Throws 404. */
export async function livingLink(db: Database, token: string, now: number): Promise<StoredLink> {
  const link = await livingLinks(db, now).where('hash', '=', hashOf(token)).executeTakeFirst();
  if (link === undefined) throw gone();
  return link;
}

/** Ends the links that somebody made who may not make them any more. */
export async function endLinksOf(writing: Writing, maker: number): Promise<void> {
  const made = writing.selectFrom('link_makers').select('link').where('user_id', '=', maker);
  await writing.deleteFrom('links').where('hash', 'in', made).execute();
}

/**
 * Uses up a link and the others for its address, in the transaction of its purpose. Throws 404 if someone else has just used
 * it, or if its maker has just lost the right to make it.
 */
export async function useUp(db: Database, { hash, email }: StoredLink, now: number): Promise<void> {
  if ((await livingLinks(db, now).where('hash', '=', hash).executeTakeFirst()) === undefined) throw gone();
  const { numDeletedRows } = await db.deleteFrom('links').where('hash', '=', hash).executeTakeFirst();
  if (numDeletedRows !== 1n) throw gone();
  await db.deleteFrom('links').where('email', '=', email).execute();
}

/** Makes a link count as an old one, which does not prevent another. It stays valid. */
export async function noteUnsent(db: Database, token: string): Promise<void> {
  await db
    .updateTable('links')
    .set({ created_at: isoTime(0) })
    .where('hash', '=', hashOf(token))
    .execute();
}

/** The details that a link reveals to its holder. */
export function factsOf({ purpose, name, email }: StoredLink): LinkFacts {
  return { purpose, name, email };
}

function gone(): Refusal {
  const message = 'This link no longer works. Ask for a new one.';
  return new Refusal(404, { message, code: 'link-gone' });
}

function isoTime(at: number): string {
  return new Date(at).toISOString();
}
