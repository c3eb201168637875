import { createHash, randomUUID } from 'node:crypto';
import type { FastifyBaseLogger } from 'fastify';
import type { Capabilities } from '../../../src/domain/protocol/capabilities.ts';
import { MOST_BATCH_BYTES, MOST_BATCHED } from '../../../src/domain/protocol/batch.ts';
import { STAGED_FROM_BYTES } from '../../../src/domain/protocol/staging.ts';
import type { RequestLimits } from '../../../src/domain/protocol/request-limits.ts';
import type { FeedPage } from '../../../src/domain/protocol/feed.ts';
import type { Reader } from '../../../src/domain/protocol/read-back/reader.ts';
import type { AnyResource, ServerRecord } from '../../../src/domain/resource.ts';
import type { BackEndHealth, ChangeAside } from '../../../src/domain/protocol/gateway-health.ts';
import { isKnownKind, resourceOf } from '../../../src/domain/resources/index.ts';
import { readSubmitted } from '../../protocol/submitted.ts';
import { givenUp, inFlight, keyReused, notFound, Refusal, stageAgain, unsettled } from '../../errors/refusal.ts';
import type { OutcomeDecision } from '../../../src/domain/protocol/unsettled.ts';
import type { Storage } from '../../uploads/storage.ts';
import { retryAfter } from '../../../src/domain/outbox/backoff.ts';
import { isSamePayload } from '../../protocol/idempotency-key.ts';
import type {
  Applied,
  Caller,
  ChangeAnswer,
  Credentials,
  FeedAsker,
  FeedSource,
  RequestedChange,
  SignedIn,
  Store,
  Target,
  VersionedRecord,
} from '../store.ts';
import { away } from './back-end.ts';
import { Delivery, type DeliveryWorld } from './delivery.ts';
import type { Entry, JournalKey, OpenEntry } from './journal.ts';
import { RemoteFeeds } from './feeds.ts';
import { Learning } from './learning.ts';
import { OwnKeys } from './own-keys.ts';
import { Recent } from './recent.ts';
import { keepFiles, removeFiles } from './received-files.ts';
import { contentOf, versionOf } from './result.ts';
import { KeyedQueue } from '../../concurrency/keyed-queue.ts';
import { divide, journalTarget, notAhead, type Work, type WorkFile } from './work.ts';

/** The dependencies of a gateway. */
export interface RemoteWorld
  extends Omit<DeliveryWorld, 'readerFor' | 'folder' | 'learning' | 'recent' | 'ownKeys' | 'startedAt'> {
  /** Holds received files until they have arrived. */
  readonly storage: Storage;
  /** The limits of one request to the back end. */
  readonly backEndLimits: RequestLimits;
  /** Runs work after a delay in milliseconds. The returned function cancels it. */
  readonly after: (milliseconds: number, work: () => Promise<void>) => () => void;
  readonly readiness: () => Promise<string | undefined>;
  readonly log: FastifyBaseLogger;
}

/** How long the user of a token is cached. Milliseconds. */
const TOKEN_BELIEVED_FOR = 60_000;
/** The delay before an unknown outcome is checked. Doubles each time. Milliseconds. */
const FIRST_LOOK = 1000;
const LONGEST_PAUSE = 30_000;
/** The delay between looks at a doubt that was set aside. Milliseconds. */
const ASIDE_PAUSE = 5 * 60_000;
/** The longest pause that a back end is granted. Milliseconds. */
const LONGEST_TOLD = 60 * 60_000;

/** The records of an existing back end, behind a journal that makes every change take effect exactly once. */
export class RemoteStore implements Store, FeedSource {
  readonly capabilities: Capabilities;
  readonly whyNotReady: () => Promise<string | undefined>;
  readonly #world: RemoteWorld & DeliveryWorld;
  readonly #queue = new KeyedQueue();
  readonly #running = new Set<string>();
  readonly #known = new Map<string, { readonly until: number; readonly user: SignedIn['user'] }>();
  /** A back end may show people different rows. */
  readonly isPersonal = true;
  readonly #feeds: RemoteFeeds;
  readonly #looks = new Map<string, () => void>();
  /** The credentials of the latest signed-in user. */
  #latest: Credentials | undefined;

  constructor(world: RemoteWorld) {
    const { folder } = world.storage;
    const learning = new Learning(world.journal);
    const recent = new Recent(world.now);
    const ownKeys = new OwnKeys(world.backEnd, world.now);
    const startedAt = world.now();
    this.#world = {
      ...world,
      startedAt,
      folder,
      learning,
      recent,
      ownKeys,
      readerFor: (credentials) => this.#readerFor(credentials),
    };
    this.#feeds = new RemoteFeeds(world, () => world.storage.randomBytes(9).toString('base64url'));
    this.whyNotReady = world.readiness;
    const { maxFileBytes, maxRequestBytes, maxFiles } = world.storage.limits;
    this.capabilities = {
      server: 'voltdesk',
      idempotencyKeys: true,
      versions: true,
      imageSizes: [],
      history: false,
      activity: false,
      fullLists: false,
      changesByKey: true,
      feed: true,
      presence: false,
      people: false,
      secondFactor: false,
      staging: { fromBytes: STAGED_FROM_BYTES },
      batches: { maxChanges: MOST_BATCHED, maxBytes: MOST_BATCH_BYTES },
      limits: { maxFileBytes, maxRequestBytes, maxFilesPerRequest: maxFiles },
    };
  }

  /** Starts to resolve changes left open by an earlier run. Returns the names of the files that are still needed. */
  async start(): Promise<ReadonlySet<string>> {
    const open = await this.#world.journal.open();
    for (const entry of open) {
      const work = notAhead(entry.work, this.#world.now(), this.#world.longestRequest);
      if (work !== entry.work) await this.#world.journal.passOn({ ...entry, work });
      this.#lookAfter(entry, 0);
    }
    return new Set(open.flatMap(({ work }) => work.files.map(({ name }) => name)));
  }

  async signedIn(credentials: Credentials): Promise<SignedIn> {
    const { token } = credentials;
    if (token === '') throw new Refusal(401, { message: 'Unauthenticated.' });
    const tokenHash = createHash('sha256').update(token).digest('hex');
    const now = this.#world.now();
    const known = this.#known.get(tokenHash);
    if (known !== undefined && now < known.until) return { user: known.user, tokenHash };
    const user = await this.#world.backEnd.read<SignedIn['user']>(credentials, '/api/user');
    // a 404 would tell the device that its record is gone
    if (user === undefined) throw away(false);
    this.#latest = credentials;
    for (const [hash, { until }] of this.#known) if (until <= now) this.#known.delete(hash);
    const { name, email } = user;
    const sender = { id: numberOf(user.id), name, email };
    this.#known.set(tokenHash, { until: now + TOKEN_BELIEVED_FOR, user: sender });
    return { user: sender, tokenHash };
  }

  /** Drops a token whose session may have ended, so that it is checked again. Returns its user, if known. */
  forgetToken({ token }: Credentials): SignedIn['user'] | undefined {
    const tokenHash = createHash('sha256').update(token).digest('hex');
    const known = this.#known.get(tokenHash);
    this.#known.delete(tokenHash);
    return known?.user;
  }

  async record({ credentials }: Caller, resource: AnyResource, id: number): Promise<VersionedRecord> {
    const { backEnd, journal } = this.#world;
    const record = await backEnd.readerFor(credentials).record(resource, id);
    if (record === undefined) throw notFound(`This ${resource.label.one} no longer exists.`);
    await journal.noteImages(resource.name, id, record.images?.map((image) => image.id) ?? []);
    const files = await journal.knownFiles(fileNames(resource, record));
    const version = versionOf(record);
    this.#world.recent.noteTold(`${resource.name}/${id}`, version, contentOf(resource, record));
    return { ...record, version, files };
  }

  async answerTo({ user, credentials }: Caller, key: string): Promise<ChangeAnswer | undefined> {
    const name = { userId: user.id, key };
    if (this.#running.has(nameOf(name))) throw inFlight();
    const entry = await this.#world.journal.find(name);
    if (entry?.state === 'open') throw await this.#stillOpen(entry, credentials);
    return entry?.answer;
  }

  async change(caller: Caller, requested: RequestedChange): Promise<Applied> {
    // a change without a key cannot be retried, but its answer can be lost
    const key = requested.key ?? { key: `once-${randomUUID()}`, fingerprint: '', isEarlier: () => false };
    const name: JournalKey = { userId: caller.user.id, key: key.key };
    if (this.#running.has(nameOf(name))) throw inFlight();
    this.#running.add(nameOf(name));
    try {
      const known = await this.#world.journal.find(name);
      if (known?.state === 'open') throw await this.#stillOpen(known, caller.credentials);
      if (known !== undefined && !isSamePayload(known, key)) throw keyReused();
      if (known !== undefined) return { answer: known.answer, isReplayed: true };
      if (await this.#world.journal.takeGivenUp(name)) throw givenUp();
      return { answer: await this.#deliver(caller, requested, { ...name, ...key }), isReplayed: false };
    } finally {
      this.#running.delete(nameOf(name));
    }
  }

  /** Carries out what the sender of an unsettled change has decided. Throws 404 if none of theirs has this key, or 409. */
  async decide(
    { user, credentials }: Caller,
    key: string,
    decided: OutcomeDecision,
  ): Promise<ChangeAnswer | undefined> {
    const name = { userId: user.id, key };
    const known = await this.#world.journal.find(name);
    if (known?.state === 'answered') return known.answer;
    if (known === undefined) throw notFound('No change has been made with this key.');
    const { kind } = known.entry;
    return this.#queue.run(kind, async () => {
      const open = await this.#world.journal.find(name);
      if (open?.state !== 'open') return open?.answer;
      const entry = { ...open.entry, credentials };
      const { work } = entry;
      if (decided.decision === 'give-up') {
        if (work.unsettled === undefined) throw inFlight();
        this.#looks.get(nameOf(name))?.();
        await this.#world.journal.giveUp(entry);
        await removeFiles(this.#world.storage, work.files);
        return undefined;
      }
      const delivery = new Delivery(this.#world, entry);
      const isThere = decided.decision === 'there' && work.unsettled !== undefined;
      return this.#whileOpen(entry, work.files, isThere ? delivery.adopt(decided.id) : delivery.resume());
    });
  }

  /** Compares with the asker's credentials. Without an asker, compares in the background with the latest user's. */
  async feed(since: string | undefined, { userId, credentials, isWaiting }: FeedAsker): Promise<FeedPage> {
    const feed = this.#feeds.of(userId, credentials);
    if (isWaiting) await feed.bringUpToDate(credentials);
    else feed.keepUp(credentials);
    return feed.page(since);
  }

  async feedCursor({ userId, credentials }: FeedAsker): Promise<string> {
    return this.#feeds.of(userId, credentials).cursor();
  }

  watch(told: () => void): () => void {
    return this.#feeds.watch(told);
  }

  /** What was learned about the back end, and the changes that wait for their senders. */
  async backEndHealth(): Promise<BackEndHealth> {
    const { learning, ownKeys, journal, backEnd, now } = this.#world;
    const [learned, limits, open] = await Promise.all([learning.learned(), ownKeys.limits(), journal.open()]);
    const { told } = backEnd.rate;
    return {
      ...(limits === undefined ? {} : { hasKeys: true as const }),
      learned,
      ...(told === undefined ? {} : { limit: told }),
      aside: open.flatMap((entry) => asideOf(entry, now())),
    };
  }

  async close(): Promise<void> {
    for (const callOff of this.#looks.values()) callOff();
    await this.#world.journal.close();
  }

  async #deliver(
    caller: Caller,
    requested: RequestedChange,
    key: JournalKey & { readonly fingerprint: string },
  ): Promise<ChangeAnswer> {
    if (requested.missing.length > 0) throw stageAgain(requested.missing);
    const kind = await this.#kindOf(requested.target);
    return this.#queue.run(kind, async () => {
      // an open change is recognized by what is new, so no other change of its kind may come in between
      if (await this.#isInDoubt(kind)) throw inFlight();
      const files = await keepFiles(this.#world.storage, requested);
      const limits = (await this.#world.ownKeys.limits()) ?? this.#world.backEndLimits;
      const work = workOf(requested, files, limits);
      const entry: OpenEntry = { ...key, kind, work, credentials: caller.credentials };
      const { ifMatch } = requested;
      return this.#whileOpen(
        entry,
        files,
        new Delivery(this.#world, entry).begin({ ifMatch, setCookie: caller.setCookie }),
      );
    });
  }

  /** True while the outcome of a change of this kind is unknown. One that was set aside blocks no others. */
  async #isInDoubt(kind: string): Promise<boolean> {
    const open = await this.#world.journal.open();
    return open.some(({ kind: other, work }) => other === kind && !isAside(work));
  }

  /** Removes the files of a change once its outcome is known. Schedules a check while it is unknown. */
  async #whileOpen(
    entry: OpenEntry,
    files: readonly WorkFile[],
    delivering: Promise<ChangeAnswer>,
    pause = FIRST_LOOK,
  ) {
    try {
      const answer = await delivering;
      await removeFiles(this.#world.storage, files);
      return answer;
    } catch (error) {
      const known = await this.#world.journal.find(entry);
      if (known?.state === 'open') this.#lookAfter(entry, pauseAfter(known.entry.work, pause, error));
      else await removeFiles(this.#world.storage, files);
      throw error;
    } finally {
      this.#feeds.mark(entry.kind);
    }
  }

  /** Schedules a check of a change's outcome. */
  #lookAfter(entry: JournalKey & Pick<OpenEntry, 'kind'>, pause: number): void {
    const name = nameOf(entry);
    this.#looks.get(name)?.();
    const callOff = this.#world.after(pause, async () => {
      this.#looks.delete(name);
      await this.#queue
        .run(entry.kind, () => this.#look(entry, pause))
        .catch((err: unknown) => this.#world.log.warn({ err }, 'outcome not known yet'));
    });
    this.#looks.set(name, callOff);
  }

  async #look(name: JournalKey, pause: number): Promise<void> {
    const known = await this.#world.journal.find(name);
    if (known?.state !== 'open') return;
    const { entry } = known;
    const next = Math.min(LONGEST_PAUSE, Math.max(FIRST_LOOK, pause * 2));
    if (isAside(entry.work) && (await this.#isInDoubt(entry.kind))) return this.#lookAfter(entry, next);
    await this.#whileOpen(entry, entry.work.files, new Delivery(this.#world, entry).resume(), next).catch(
      (error: unknown) => {
        if (!(error instanceof Refusal)) throw error;
        // once, when the pauses have become as long as they get
        if (error.body.code === 'in-flight' && pause < next && next === LONGEST_PAUSE) this.#warn(entry, error.cause);
      },
    );
  }

  /** Tells the operator about a change that stays open. */
  #warn({ userId, key, kind }: OpenEntry, cause: unknown): void {
    const status = cause instanceof Refusal ? cause.status : undefined;
    this.#world.log.warn({ user: userId, key, kind, status }, 'a change stays open');
  }

  /** Handles a question of the sender, whose session may be newer than the one stored with the change. */
  async #stillOpen({ entry }: Entry & { state: 'open' }, credentials: Credentials): Promise<Refusal> {
    if (entry.credentials.token !== credentials.token) {
      await this.#world.journal.renew(entry, credentials);
      this.#lookAfter(entry, 0);
    }
    const { unsettled: aside } = entry.work;
    return aside === undefined ? inFlight() : unsettled(aside.message, aside.since, aside.candidates);
  }

  /** Reads with the sender's credentials, or the latest user's if that session has ended: reading changes nothing. */
  #readerFor(credentials: Credentials): Reader {
    const own = this.#world.backEnd.readerFor(credentials);
    const read = async <T>(ask: (reader: Reader) => Promise<T>): Promise<T> => {
      const latest = this.#latest;
      return ask(own).catch((error: unknown) => {
        const isSignedOut = error instanceof Refusal && error.status === 401;
        if (!isSignedOut || latest === undefined || latest.token === credentials.token) throw error;
        return ask(this.#world.backEnd.readerFor(latest));
      });
    };
    return {
      rows: (resource) => read((reader) => reader.rows(resource)),
      record: (resource, id) => read((reader) => reader.record(resource, id)),
      newest: (resource) => read((reader) => (reader.newest ?? reader.rows)(resource)),
      peek: (resource, id) => read(async (reader) => reader.peek?.(resource, id)),
      sha256: (name) => read((reader) => reader.sha256(name)),
      explained: async (names) => new Set((await this.#world.journal.knownFiles(names)).map(({ name }) => name)),
    };
  }

  async #kindOf(target: Target): Promise<string> {
    if (target.op !== 'delete-image') return target.resource.name;
    return (await this.#world.journal.ownerOf(target.id))?.resource ?? 'images';
  }
}

function workOf({ target, form }: RequestedChange, files: readonly WorkFile[], limits: RequestLimits): Work {
  const about = journalTarget(target);
  const fields = 'resource' in target ? target.resource.fields : [];
  return {
    target: about,
    texts: [...form.texts],
    values: readSubmitted(fields, form).values,
    files,
    left: divide(about, files, limits),
    arrived: [],
    duplicates: [],
  };
}

/** True if a change lets others of its kind go on although it is not finished. */
function isAside({ step, suspended, unsettled: aside }: Work): boolean {
  // a request with a key is not recognized by what is new
  return step?.key !== undefined || suspended !== undefined || aside !== undefined;
}

/** What an administrator is told about a change that waits for its sender. */
function asideOf({ kind, work }: OpenEntry, now: number): ChangeAside[] {
  const { suspended, unsettled: aside, step, values } = work;
  if (suspended === undefined && aside === undefined) return [];
  const title = isKnownKind(kind) ? resourceOf(kind).title.map((field) => values[field] ?? '') : [];
  return [
    {
      kind,
      title: title.filter(Boolean).join(' '),
      since: new Date(aside?.since ?? step?.at ?? now).toISOString(),
      message: aside?.message ?? 'Its sender has to sign in again.',
    },
  ];
}

/** Milliseconds until the next look, not before the back end has asked for one. */
function pauseAfter(work: Work, pause: number, error: unknown): number {
  if (work.unsettled !== undefined) return ASIDE_PAUSE;
  const cause = error instanceof Refusal ? error.cause : undefined;
  const told = cause instanceof Refusal ? new Headers(cause.headers).get('retry-after') : null;
  return Math.max(pause, Math.min(retryAfter(told, Date.now()) ?? 0, LONGEST_TOLD));
}

/** A user's number in the journal. A UUID gets one that is always the same. */
function numberOf(id: unknown): number {
  const text = String(id);
  if (/^\d{1,15}$/.test(text)) return Number(text);
  return Number.parseInt(createHash('sha256').update(text).digest('hex').slice(0, 13), 16);
}

function nameOf({ userId, key }: JournalKey): string {
  return `${userId}/${key}`;
}

function fileNames(resource: AnyResource, record: ServerRecord): string[] {
  const singles = resource.fields.filter(({ kind }) => kind === 'file' || kind === 'image');
  const own = singles.map(({ name }) => record[name]).filter((name) => typeof name === 'string');
  return [...own, ...(record.images ?? []).map(({ image }) => image)];
}
