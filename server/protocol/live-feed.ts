import { Readable } from 'node:stream';
import type { FastifyBaseLogger } from 'fastify';
import type { FeedEvent } from '../../src/domain/protocol/feed.ts';
import { Refusal } from '../errors/refusal.ts';
import type { Role } from '../../src/domain/roles.ts';
import type { Seat, Seats } from '../shared/seats.ts';
import type { Credentials, FeedAsker, FeedSource, SignedIn } from '../stores/store.ts';

/** Limits of live connections. Times in milliseconds. */
export interface LiveLimits {
  /** Interval of heartbeats, session checks, and checks for changes by other processes. */
  readonly heartbeat: number;
  /** Connections per administrator. Every browser has one. */
  readonly mostPerPerson: number;
  /** Buffered bytes for a device that does not read. Beyond that it is disconnected and asks again. */
  readonly mostWaiting: number;
}

const LIMITS: Omit<LiveLimits, 'mostPerPerson'> = { heartbeat: 20_000, mostWaiting: 1024 * 1024 };

/** The owner of a connection, and the cursor of its device. */
interface Listener {
  /** The role it joined with. The connection ends when the role changes, so that its page asks again. */
  readonly role: Role | undefined;
  readonly credentials: Credentials;
  readonly asker: FeedAsker;
  readonly stream: Readable;
  cursor: string;
}

/** Pushes changes to connected devices at once, and never to a session that has ended. */
export class LiveFeed {
  readonly #store: FeedSource;
  readonly #log: FastifyBaseLogger;
  readonly #limits: LiveLimits;
  readonly #seats: Seats;
  readonly #listeners = new Set<Listener>();
  readonly #timer: NodeJS.Timeout;
  readonly #stopWatching: () => void;
  #telling: Promise<void> | undefined;
  #isAsked = false;
  #isEnding = false;

  constructor(
    store: FeedSource,
    log: FastifyBaseLogger,
    limits: Pick<LiveLimits, 'mostPerPerson'> & Partial<LiveLimits>,
    seats: Seats,
  ) {
    this.#store = store;
    this.#log = log;
    this.#limits = { ...LIMITS, ...limits };
    this.#seats = seats;
    this.#stopWatching = store.watch(() => void this.tell());
    this.#timer = setInterval(() => void this.#beat(), this.#limits.heartbeat).unref();
  }

  /** A stream of server-sent events since a cursor; without a valid one, from now on. Throws 429. */
  async join({ user, role }: SignedIn, credentials: Credentials, since: string | undefined): Promise<Readable> {
    const seat = await this.#seats.take(user.id, this.#limits.mostPerPerson);
    if (seat === undefined) throw tooMany();
    const stream = new Readable({ read: () => {} });
    const asker = { userId: user.id, credentials, isWaiting: false };
    const cursor = since ?? (await this.#cursorFor(asker, seat));
    const listener = { role, credentials, asker, stream, cursor };
    this.#listeners.add(listener);
    stream.once('close', () => {
      this.#listeners.delete(listener);
      seat.free();
    });
    stream.push(': connected\n\n');
    if (this.#isEnding) stream.push(null);
    else void this.tell();
    return stream;
  }

  async #cursorFor(asker: FeedAsker, seat: Seat): Promise<string> {
    return this.#store.feedCursor(asker).catch((error: unknown) => {
      seat.free();
      throw error;
    });
  }

  /** Sends every device what it lacks. Runs one at a time; changes that come meanwhile follow right after. */
  tell(): Promise<void> {
    this.#isAsked = true;
    this.#telling ??= this.#tellOn();
    return this.#telling;
  }

  /** Ends all connections, and those that are still being made. */
  close(): void {
    this.#isEnding = true;
    clearInterval(this.#timer);
    this.#stopWatching();
    for (const { stream } of this.#listeners) stream.push(null);
  }

  async #tellOn(): Promise<void> {
    while (this.#isAsked) {
      this.#isAsked = false;
      await this.#tellAll().catch((err: unknown) => this.#log.warn({ err }, 'changes not told'));
    }
    // at once, so that no call falls between the last look and the end
    this.#telling = undefined;
  }

  async #tellAll(): Promise<void> {
    const events = new Map<string, Promise<FeedEvent>>();
    await Promise.all([...this.#listeners].map((listener) => this.#tellOne(listener, events)));
  }

  /** Devices with the same cursor, and of the same person if it matters, get the same event, which is read once. */
  async #tellOne(listener: Listener, events: Map<string, Promise<FeedEvent>>): Promise<void> {
    const { cursor, stream, asker } = listener;
    const sharedBy = this.#store.isPersonal === true ? `${asker.userId} ${cursor}` : cursor;
    const reading = events.get(sharedBy) ?? this.#eventSince(cursor, asker);
    events.set(sharedBy, reading);
    const event = await reading;
    if (event.cursor === cursor || !(await this.#isSignedIn(listener))) return;
    listener.cursor = event.cursor;
    stream.push(`id: ${event.cursor}\nevent: ${event.name}\ndata: ${JSON.stringify(event.data)}\n\n`);
  }

  /** Changes beyond one page are left to the device to fetch from the compressed feed. */
  async #eventSince(since: string, asker: FeedAsker): Promise<FeedEvent> {
    const page = await this.#store.feed(since, asker);
    const isWhole = !page.more && page.snapshot !== true;
    if (isWhole) return { name: 'changes', cursor: page.cursor, data: { since, page } };
    return { name: 'behind', cursor: await this.#store.feedCursor(asker), data: {} };
  }

  async #beat(): Promise<void> {
    for (const listener of this.#listeners) {
      if (listener.stream.readableLength > this.#limits.mostWaiting) listener.stream.destroy();
      else if (await this.#isSignedIn(listener)) listener.stream.push(': alive\n\n');
    }
    await this.tell();
  }

  /** True if the session is still valid, with the same role and no pending obligation. */
  async #isSignedIn({ credentials, role, stream }: Listener): Promise<boolean> {
    const isAsBefore = await this.#store.signedIn(credentials).then(
      (now) => now.role === role && now.owes === undefined,
      () => false,
    );
    if (!isAsBefore) stream.push(null);
    return isAsBefore && !stream.destroyed;
  }
}

function tooMany(): Refusal {
  const message = 'Too many browsers of yours are connected.';
  return new Refusal(429, { message, code: 'too-many-connections' }, { 'Retry-After': '60' });
}
