import { Readable } from 'node:stream';
import type { FastifyBaseLogger } from 'fastify';
import type { FeedEvent } from '../../src/domain/protocol/feed.ts';
import { Refusal } from '../refusal.ts';
import type { Role } from '../../src/domain/roles.ts';
import type { Seat, Seats } from '../shared/seats.ts';
import type { Credentials, FeedSource, SignedIn } from '../stores/store.ts';

/** In milliseconds, and counts. */
export interface LiveLimits {
  /** How often a silent connection says that it is alive, sessions are looked at, and changes of other processes are. */
  readonly heartbeat: number;
  /** Connections of one administrator: every browser has one. */
  readonly mostPerPerson: number;
  /** Bytes that wait for a device which does not read; above that it is cut off and asks anew. */
  readonly mostWaiting: number;
}

const LIMITS: Omit<LiveLimits, 'mostPerPerson'> = { heartbeat: 20_000, mostWaiting: 1024 * 1024 };

/** Whom a connection belongs to, and how far its device has read. */
interface Listener {
  /** What it joined with. With other rights it ends, so that its page asks who it is now. */
  readonly role: Role | undefined;
  readonly credentials: Credentials;
  readonly stream: Readable;
  cursor: string;
}

/** Tells connected devices what changed, as soon as it has. Nothing is told to a session that has ended. */
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

  /** A stream of server-sent events from a cursor on; without a good one, from now on. Throws 429. */
  async join({ user, role }: SignedIn, credentials: Credentials, since: string | undefined): Promise<Readable> {
    const seat = await this.#seats.take(user.id, this.#limits.mostPerPerson);
    if (seat === undefined) throw tooMany();
    const stream = new Readable({ read: () => {} });
    const cursor = since ?? (await this.#cursorFor(seat));
    const listener = { role, credentials, stream, cursor };
    this.#listeners.add(listener);
    stream.once('close', () => {
      this.#listeners.delete(listener);
      seat.free();
    });
    stream.push(': connected\n\n');
    void this.tell();
    return stream;
  }

  async #cursorFor(seat: Seat): Promise<string> {
    return this.#store.feedCursor().catch((error: unknown) => {
      seat.free();
      throw error;
    });
  }

  /** Tells every device what it does not know yet. One at a time; what changes meanwhile is told right after. */
  tell(): Promise<void> {
    this.#isAsked = true;
    this.#telling ??= this.#tellOn()
      .catch((err: unknown) => this.#log.warn({ err }, 'changes not told'))
      .finally(() => {
        this.#telling = undefined;
      });
    return this.#telling;
  }

  /** Ends all connections. */
  close(): void {
    clearInterval(this.#timer);
    this.#stopWatching();
    for (const { stream } of this.#listeners) stream.push(null);
  }

  async #tellOn(): Promise<void> {
    while (this.#isAsked) {
      this.#isAsked = false;
      const events = new Map<string, Promise<FeedEvent>>();
      await Promise.all([...this.#listeners].map((listener) => this.#tellOne(listener, events)));
    }
  }

  /** Devices that know the same are told the same, which is read once. */
  async #tellOne(listener: Listener, events: Map<string, Promise<FeedEvent>>): Promise<void> {
    const { cursor, stream } = listener;
    const reading = events.get(cursor) ?? this.#eventSince(cursor);
    events.set(cursor, reading);
    const event = await reading;
    if (event.cursor === cursor || !(await this.#isSignedIn(listener))) return;
    listener.cursor = event.cursor;
    stream.push(`id: ${event.cursor}\nevent: ${event.name}\ndata: ${JSON.stringify(event.data)}\n\n`);
  }

  /** What does not fit into one page the device asks for: the feed answers that compressed. */
  async #eventSince(since: string): Promise<FeedEvent> {
    const page = await this.#store.feed(since);
    const isWhole = !page.more && page.snapshot !== true;
    if (isWhole) return { name: 'changes', cursor: page.cursor, data: { since, page } };
    return { name: 'behind', cursor: await this.#store.feedCursor(), data: {} };
  }

  async #beat(): Promise<void> {
    for (const listener of this.#listeners) {
      if (listener.stream.readableLength > this.#limits.mostWaiting) listener.stream.destroy();
      else if (await this.#isSignedIn(listener)) listener.stream.push(': alive\n\n');
    }
    await this.tell();
  }

  /** As it was when the connection began: with the same rights, and nothing that has to be done first. */
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
