import type { Invitation, PeopleList, Person } from '../../../src/domain/protocol/people.ts';
import type { Role } from '../../../src/domain/roles.ts';
import { invalid, notFound, Refusal } from '../../errors/refusal.ts';
import { timestamp } from '../../services.ts';
import type { SqlServices } from './services.ts';
import type { People } from '../people.ts';
import { isRequired } from './factors.ts';
import { endLinksOf, factsOf, livingLink, livingLinks, makeLink, noteUnsent, useUp } from './links.ts';
import type { Database, StoredLink, StoredUser, Writing } from './tables.ts';
import { insertUser, userByEmail, writePassword } from './users.ts';

/** Dependencies of managing people. */
type World = Pick<SqlServices, 'db' | 'passwords' | 'randomBytes' | 'now'>;

/** Management of the administrators in the tables. */
export function peopleIn(world: World): People {
  const { db } = world;
  return {
    list: () => list(world),
    invite: (invitation, madeBy) => invite(world, invitation, madeBy),
    withdraw: (id) => withdraw(db, id, 'invitation'),
    withdrawReset: (id) => withdraw(db, id, 'reset'),
    setRole: (id, role) => setRole(world, id, role),
    async resetLink(id, madeBy) {
      const { name, email, role } = await userById(db, id);
      return makeLink(world, { purpose: 'reset', userId: id, name, email, role, ...makerOf(madeBy) });
    },
    async forgottenLink(address) {
      const askedAt = world.now();
      const user = await userByEmail(db, address);
      if (user === undefined || (await hasFreshLink(db, user.id, askedAt))) return undefined;
      const { id, name, email, role } = user;
      return makeLink(world, { purpose: 'forgotten', userId: id, name, email, role });
    },
    notSent: (token) => noteUnsent(db, token),
    async endSessions(id) {
      const user = await userById(db, id);
      await db.deleteFrom('tokens').where('user_id', '=', id).execute();
      return user;
    },
    remove: (id) => removeUser(db, id),
    look: async (token) => factsOf(await livingLink(db, token, world.now())),
    take: (token, person) => take(world, token, person),
  };
}

async function list({ db, now }: World): Promise<PeopleList> {
  const users = await db.selectFrom('users').selectAll().orderBy('name').execute();
  const seen = await db
    .selectFrom('tokens')
    .select(({ fn }) => ['user_id', fn.max('used_at').as('last')])
    .groupBy('user_id')
    .execute();
  const lastSeen = new Map(seen.map(({ user_id, last }) => [user_id, last]));
  const secured = await db
    .selectFrom('passkeys')
    .select('user_id')
    .union(db.selectFrom('authenticators').select('user_id'))
    .execute();
  const withFactor = new Set(secured.map(({ user_id }) => user_id));
  const links = await livingLinks(db, now()).where('purpose', '!=', 'forgotten').orderBy('created_at').execute();
  const offered = (purpose: StoredLink['purpose']) => links.filter((link) => link.purpose === purpose).map(offeredOf);
  return {
    people: users.map((user) => ({
      ...personOf(user, lastSeen.get(user.id)),
      hasSecondFactor: withFactor.has(user.id),
    })),
    secondFactorRequired: await isRequired(db),
    invitations: offered('invitation'),
    resets: offered('reset'),
  };
}

function offeredOf({ hash, name, email, role, expires_at }: StoredLink): Invitation {
  return { id: hash, name, email, role, expiresAt: expires_at };
}

function makerOf(madeBy: number | undefined) {
  return madeBy === undefined ? {} : { madeBy };
}

function personOf(
  { id, name, email, role }: StoredUser,
  lastSeenAt: string | undefined,
): Omit<Person, 'hasSecondFactor'> {
  return { id, name, email, role: role, ...(lastSeenAt === undefined ? {} : { lastSeenAt }) };
}

const TAKEN = 'This email already belongs to an administrator.';

/** Bounds the list of people. */
const MOST_INVITATIONS = 200;

async function invite(
  world: World,
  { name, email, role }: { name: string; email: string; role: Role },
  madeBy: number | undefined,
) {
  const known = await userByEmail(world.db, email);
  if (known !== undefined) throw invalid({ email: [TAKEN] });
  const open = await livingLinks(world.db, world.now()).where('purpose', '=', 'invitation').execute();
  if (open.filter((link) => link.email !== email.toLowerCase()).length >= MOST_INVITATIONS)
    throw invalid({ email: [`At most ${MOST_INVITATIONS} invitations are open at a time. Withdraw one first.`] });
  return makeLink(world, { purpose: 'invitation', name, email, role, ...makerOf(madeBy) });
}

async function withdraw(db: Database, id: string, purpose: StoredLink['purpose']) {
  const link = await db.selectFrom('links').selectAll().where('hash', '=', id).executeTakeFirst();
  if (link?.purpose !== purpose)
    throw notFound(purpose === 'invitation' ? 'This invitation no longer exists.' : 'This link no longer exists.');
  await db.deleteFrom('links').where('hash', '=', id).execute();
  return link;
}

async function setRole({ db, now }: World, id: number, role: Role) {
  return db.transaction().execute(async (writing) => {
    const user = await userById(writing, id);
    const updated_at = new Date(now()).toISOString();
    await writing.updateTable('users').set({ role, updated_at }).where('id', '=', id).execute();
    if (role !== 'owner') await endLinksOf(writing, id);
    await assertOwner(writing);
    return user;
  });
}

/** Removes an administrator, their sessions and the links that they made. Throws if no owner would be left. */
async function removeUser(db: Database, id: number): Promise<StoredUser> {
  return db.transaction().execute(async (writing) => {
    const user = await userById(writing, id);
    await writing.deleteFrom('users').where('id', '=', id).execute();
    await endLinksOf(writing, id);
    // Nobody can ask for them any more: an id is given once, and only its holder knows the answers to their keys.
    await writing.deleteFrom('idempotency_keys').where('user_id', '=', id).execute();
    await assertOwner(writing);
    return user;
  });
}

/** Throws if there is no owner left to manage people, which rolls the transaction back. */
async function assertOwner(writing: Writing): Promise<void> {
  const owner = await writing.selectFrom('users').select('id').where('role', '=', 'owner').executeTakeFirst();
  if (owner !== undefined) return;
  throw new Refusal(422, { message: 'At least one owner has to remain.', code: 'last-owner' });
}

async function take(world: World, token: string, person: { name: string; password: string }) {
  const { db, passwords } = world;
  const link = await livingLink(db, token, world.now());
  // Hashing is slow, so it runs before the transaction.
  const passwordHash = await passwords.hash(person.password);
  await db.transaction().execute(async (writing) => {
    await useUp(writing, link, world.now());
    await settle(writing, link, { name: person.name, passwordHash, at: timestamp(world) });
  });
  return factsOf(link);
}

async function settle(
  writing: Writing,
  { purpose, user_id, email, role }: StoredLink,
  { name, passwordHash, at }: { name: string; passwordHash: string; at: string },
): Promise<void> {
  if (purpose === 'invitation') {
    // the form of an invitation has no field for the address
    if ((await userByEmail(writing, email)) !== undefined) throw new Refusal(422, { message: TAKEN });
    await insertUser(writing, { name, email, role: role, passwordHash, at });
  } else if (user_id !== null) await writePassword(writing, user_id, { passwordHash, at });
}

/** Milliseconds. Prevents flooding other people's mailboxes with requested links. */
const FRESH = 10 * 60_000;

async function hasFreshLink(db: Database, userId: number, now: number): Promise<boolean> {
  const fresh = await db
    .selectFrom('links')
    .select('hash')
    .where('user_id', '=', userId)
    .where('purpose', '=', 'forgotten')
    .where('created_at', '>', new Date(now - FRESH).toISOString())
    .executeTakeFirst();
  return fresh !== undefined;
}

async function userById(db: Database, id: number): Promise<StoredUser> {
  const user = await db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst();
  if (user === undefined) throw notFound('This administrator no longer exists.');
  return user;
}
