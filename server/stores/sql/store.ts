import { setTimeout as pause } from 'node:timers/promises';
import { forgetFirstPassword } from '../../accounts/first-password.ts';
import { Refusal } from '../../errors/refusal.ts';
import { type Services, timestamp } from '../../services.ts';
import type { SqlServices } from './services.ts';
import { ownCapabilities } from '../../protocol/capabilities.ts';
import { jsonAnswer } from '../../protocol/send.ts';
import { ownReadiness } from '../../ops/readiness.ts';
import type { Factors } from '../factors.ts';
import type { People } from '../people.ts';
import type { Account, Accounts, ListPart, OwnStore } from '../store.ts';
import type { FilesHealth } from '../../../src/domain/protocol/health.ts';
import type { Resource } from '../../../src/domain/resource.ts';
import { activityIn } from './activity.ts';
import { changeOf } from './changes.ts';
import { contentTokensIn } from './content-tokens.ts';
import { executeChange } from './execute-change.ts';
import { beginEpoch } from './epochs.ts';
import { feedCursor, feedPage } from './feed.ts';
import { type FilesOwner, ownFiles } from './files-owner.ts';
import { historyOf } from './history.ts';
import type { Engine } from './engine.ts';
import { storedUnder } from './idempotency.ts';
import { keptUnder, standingsOf, type Standings } from './kept.ts';
import { keepLists } from './list-cache.ts';
import { lookupValues } from './lookups.ts';
import { publicFile, storedPictures } from './record-files.ts';
import { removalOf, removeUnfinished, tidyFiles, unnamedFiles } from './removal.ts';
import { secretOf } from './secrets.ts';
import { filesNamed, listRecords, listRows, readRecord } from './read.ts';
import { sweepTrash, trashIn } from './trash.ts';
import { renewLists } from './renewed-lists.ts';
import { devicesIn } from './devices.ts';
import { noticesIn } from './notices.ts';
import { siteContactsIn } from './site-contacts.ts';
import { webhooksIn } from './webhooks.ts';
import { peopleIn } from './people.ts';
import { factorsIn } from './factors.ts';
import {
  debtOf,
  endOtherSessions,
  endSession,
  endToken,
  hashOf,
  issueToken,
  noteUse,
  sessionsOf,
  type SignedIn,
  signedInBy,
  userOfToken,
} from './tokens.ts';
import { owesFactor, sameEmail, setPassword } from './users.ts';

/** An open store and its dependencies. */
export interface OpenedStore {
  readonly store: OwnStore;
  readonly services: SqlServices;
}

/** The least time between marks of the files: a small file beside them, or a request. Milliseconds. */
const MARKED_AT_MOST_EVERY = { folder: 0, elsewhere: 10_000 };

/** How long a start waits for tidying, which goes on afterwards. Milliseconds. */
const TIDIED_WITHIN = 5000;

/** The interval of tidying, and of epochs. Milliseconds. */
const DAY = 24 * 60 * 60 * 1000;

/**
 * Opens a store on a migrated database. Throws NotOwnFiles if the files are not those of this database. Removes what a killed server
 * left behind.
 */
export async function openStore(services: Services, engine: Engine): Promise<OpenedStore> {
  const { storage, sizes, reserve, randomBytes, now } = services;
  const { db } = engine;
  const wholeLists = renewLists(db);
  // a server starts on a full disk too
  const begin = () => reserve.spend(() => beginEpoch({ db, randomBytes, now }));
  const owner = await ownerOf(services, engine, begin);
  const standings = standingsOf({ db, backups: services.backups });
  engine.onReconnect(async () => {
    await begin();
    standings.forget();
    wholeLists.forget();
  });
  const closing = new AbortController();
  const place = { db, storage, owner, ending: closing.signal };
  const removal = removalOf(place);
  const own = { ...services, ...engine, lists: keepLists(engine.revision), wholeLists, owner, removal };
  await removeUnfinished(storage);
  // what fails today is tried again tomorrow
  let tidying: Promise<void> = Promise.resolve();
  const sweeping = { ...place, now, days: services.settings.trashDays };
  const tidy = () =>
    (tidying = reserve
      .spend(() => sweepTrash(sweeping))
      .catch(() => undefined)
      .then(() => reserve.spend(() => tidyFiles(place)))
      .catch(() => undefined));
  await Promise.race([tidy(), pause(TIDIED_WITHIN, undefined, { ref: false })]);
  await sizes.addMissing(await storedPictures(db));
  const timer = setInterval(() => void begin().then(tidy, tidy), DAY).unref();
  const stop = async () => {
    clearInterval(timer);
    closing.abort();
    await tidying;
  };
  return { store: storeOf(own, standings, stop), services: own };
}

/** Begins an epoch between looking at the marker and marking: a refused start changes nothing. */
async function ownerOf(
  { storage, randomBytes }: Services,
  { db, identity }: Engine,
  begin: () => Promise<unknown>,
): Promise<FilesOwner> {
  const { files } = storage;
  const pace = files.isFolder ? MARKED_AT_MOST_EVERY.folder : MARKED_AT_MOST_EVERY.elsewhere;
  return ownFiles({ db, files, randomBytes, database: await identity() }, { pace, begin });
}

function storeOf(services: SqlServices, standings: Standings, stop: () => Promise<void>): OwnStore {
  const { db, running, bell } = services;
  return {
    capabilities: ownCapabilities(services.settings),
    accounts: accountsOf(services),
    people: peopleOf(services),
    factors: factorsOf(services),
    contentTokens: contentTokensIn(services),
    siteContacts: siteContactsIn(services),
    devices: devicesIn(services),
    notices: noticesIn(services),
    webhooks: webhooksIn(services),
    trash: trashIn(services),
    signedIn: async ({ token }) => required(await userOfToken(services, token)),
    ...readsOf(services),
    noteUse: (session, use) => noteUse(services, session, use),
    list: (resource, part) => list(services, resource, part),
    record: (_caller, resource, id) => readRecord(db, resource, id),
    lookup: (name, parent) => lookupValues(db, name, parent),
    async feed(since) {
      const [page, standing] = await Promise.all([feedPage(db, since), standings.current()]);
      return { ...standing, ...page };
    },
    kept: (userId, keys) => keptUnder(services, userId, keys),
    feedCursor: () => feedCursor(db),
    revision: services.revision,
    ...(services.revisionNow === undefined ? {} : { revisionNow: services.revisionNow }),
    watch: bell.watch,
    history: (resource, id, before) => historyOf(db, resource, id, before),
    activity: () => activityIn(db),
    file: (name) => publicFile(db, name),
    files: (names) => filesNamed(db, names),
    async change(caller, requested) {
      const applied = await executeChange(services, changeOf(services, caller, requested));
      bell.ring();
      return applied;
    },
    async answerTo({ user }, key) {
      const sendersKey = { userId: user.id, key };
      await running.requireFree(sendersKey);
      return (await storedUnder(db, sendersKey))?.answer;
    },
    whyNotReady: ownReadiness(() => services.check(), services.storage),
    secret: (name) => secretOf(db, name, services.randomBytes),
    size: () => services.size(),
    filesHealth: () => filesHealth(services),
    async close() {
      await stop();
      await services.sizes.stop();
      await services.removal.done();
      await services.owner.close();
      await services.close();
    },
  };
}

async function filesHealth({ db, owner }: SqlServices): Promise<FilesHealth | undefined> {
  const unnamed = await unnamedFiles(db);
  if (owner.problem() !== undefined) return { unnamed: unnamed.count, isForeign: true };
  return unnamed.until === undefined ? undefined : { unnamed: unnamed.count, until: unnamed.until };
}

/** Combined reads that save round trips to a remote database. */
function readsOf(services: SqlServices): Pick<OwnStore, 'signedInWithRecord'> {
  const { remote, now } = services;
  if (remote === undefined) return {};
  return {
    async signedInWithRecord({ token }, resource, id) {
      const tokenHash = hashOf(token);
      const found = await remote.sessionAndRecord(tokenHash, resource, id);
      const signedIn = required(found && signedInBy(tokenHash, found.session, now()));
      return { signedIn, record: found?.record };
    },
  };
}

/** Throws 401 if there is no sender. */
function required(signedIn: SignedIn | undefined): SignedIn {
  if (signedIn === undefined) throw new Refusal(401, { message: 'Unauthenticated.' });
  return signedIn;
}

function list(services: SqlServices, resource: Resource, { page, most, isFull }: ListPart) {
  if (services.remote !== undefined && !resource.paged && most === undefined && !isFull)
    return services.wholeLists(resource);
  const read = isFull ? listRecords : listRows;
  const name = `${resource.name} ${read.name} ${page} ${most}`;
  return services.lists(name, async () => jsonAnswer(await read(services.db, resource, page, most)));
}

/** Lets sign-ins use the disk reserve, so that they work on a full disk too. */
function factorsOf(services: SqlServices): Factors {
  const { reserve } = services;
  const factors = factorsIn(services);
  return {
    ...factors,
    passkeyUsed: (id, counter) => reserve.spend(() => factors.passkeyUsed(id, counter)),
    useStep: (userId, step) => reserve.spend(() => factors.useStep(userId, step)),
    useRecoveryCode: (userId, code) => reserve.spend(() => factors.useRecoveryCode(userId, code)),
  };
}

function accountsOf(services: SqlServices): Accounts {
  const { db } = services;
  const users = db.selectFrom('users').selectAll().select(owesFactor);
  const accountOf = (user: Awaited<ReturnType<typeof users.executeTakeFirstOrThrow>>): Account => ({
    ...user,
    ...debtOf(user),
  });
  return {
    async byEmail(email) {
      const user = await users.where(sameEmail(email)).executeTakeFirst();
      return user && accountOf(user);
    },
    byId: async (id) => accountOf(await users.where('id', '=', id).executeTakeFirstOrThrow()),
    issueToken: (userId, place) => services.reserve.spend(() => issueToken(services, userId, place)),
    sessions: (userId) => sessionsOf(services, userId),
    endSession: (userId, id) => services.reserve.spend(() => endSession(db, userId, id)),
    endOtherSessions: (userId, keep) => services.reserve.spend(() => endOtherSessions(db, userId, keep)),
    endToken: (tokenHash) => services.reserve.spend(() => endToken(db, tokenHash)),
    async setPassword(userId, password, keepToken) {
      await setPassword(services, userId, password, { keepToken, at: timestamp(services) });
      await forgetChanged(services);
    },
  };
}

function peopleOf(services: SqlServices): People {
  const people = peopleIn(services);
  return {
    ...people,
    async take(token, person) {
      const facts = await people.take(token, person);
      await forgetChanged(services);
      return facts;
    },
  };
}

/** Removes the file with the first password once nobody has a generated one any more. A password was changed, so it never throws. */
async function forgetChanged({ db, settings }: SqlServices): Promise<void> {
  const madeUp = db.selectFrom('users').select('id').where('made_up_password_at', 'is not', null).executeTakeFirst();
  await madeUp.then((user) => user ?? forgetFirstPassword(settings.dataDir)).catch(() => undefined);
}
