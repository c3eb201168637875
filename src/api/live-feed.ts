import { eventReader, type StreamEvent } from '../domain/protocol/event-stream.ts';
import { LIVE_PATH, readFeedPage } from '../domain/protocol/feed.ts';
import { onReturn } from '../stores/connection.ts';
import { useSession } from '../stores/session.ts';
import { refreshUser } from './auth.ts';
import { device } from './device.ts';
import { ApiFailure } from './failure.ts';
import { type Adopt, beginFeed, readOn, takePushed } from './feed.ts';
import { pause } from './pause.ts';
import { savesData } from './prefetch.ts';
import { useServerAbilities } from '../stores/server-abilities.ts';

/** Silence after which a connection counts as dead. The server sends a heartbeat every 20 s. Milliseconds. */
const SILENCE = 50_000;
/** Polling interval without a live connection. Milliseconds. */
const TIMER = 60_000;
/** Duration after which a connection counts as good. The next one is then tried soon, with jitter. Milliseconds. */
const GOOD = 10_000;
const SOON = 2_000;

/** The time between two attempts to begin the feed anew. Milliseconds. */
const SELDOM = 15 * 60_000;

/** Held by the connected tab, which passes on what it receives to the others. */
const LOCK = 'voltdesk-live';

let following: { readonly token: string; readonly stop: AbortController } | undefined;
let isStarted = false;

/**
 * Keeps this page up to date from now on, while it is visible and a user is signed in: live, or else by polling. Another
 * call retries at once.
 */
export function stayUpToDate(adopt: Adopt): void {
  if (!isStarted) {
    isStarted = true;
    document.addEventListener('visibilitychange', () => look(adopt));
    useSession.subscribe(() => look(adopt));
    onReturn(() => again(adopt));
  }
  again(adopt);
}

function again(adopt: Adopt): void {
  following?.stop.abort();
  following = undefined;
  look(adopt);
}

function look(adopt: Adopt): void {
  const { token, ended } = useSession.getState();
  const wanted = document.hidden || ended ? undefined : token;
  if (wanted === following?.token) return;
  following?.stop.abort();
  following = wanted === undefined ? undefined : { token: wanted, stop: new AbortController() };
  if (following !== undefined) void follow(adopt, following.token, following.stop.signal);
}

async function follow(adopt: Adopt, token: string, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const began = Date.now();
    await alone(signal, () => listen(adopt, token, signal)).catch(quietly);
    await pause(Date.now() - began > GOOD ? SOON * (1 + Math.random()) : TIMER, signal);
  }
}

/** Runs in one tab at a time. Without locks, runs in every tab. */
async function alone(signal: AbortSignal, work: () => Promise<void>): Promise<void> {
  if (navigator.locks === undefined) return work();
  await navigator.locks.request(LOCK, { signal }, work);
}

/** When the feed was last begun anew, on the clock of this page. */
let begunAt = Number.NEGATIVE_INFINITY;

/**
 * Follows the feed again after a save has evicted the cache, or after an update has changed what is kept of it. Seldom: where there
 * is no room for it, everything would be fetched again and again. Returns undefined if nothing was read.
 */
async function beginAgain(adopt: Adopt): Promise<number | undefined> {
  if (useServerAbilities.getState().feed !== true || savesData() || performance.now() - begunAt < SELDOM)
    return undefined;
  begunAt = performance.now();
  return beginFeed(adopt);
}

/** Brings the device up to date and stays connected. Resolves when the connection ends. */
async function listen(adopt: Adopt, token: string, signal: AbortSignal): Promise<void> {
  if (((await readOn(adopt)) ?? (await beginAgain(adopt))) === undefined) return;
  const { feed } = await device();
  const cursor = (await feed.readFeed())?.cursor;
  if (cursor === undefined || signal.aborted) return;
  const silence = new AbortController();
  signal.addEventListener('abort', () => silence.abort());
  const asked = fetch(LIVE_PATH, {
    headers: { Accept: 'text/event-stream', Authorization: `Bearer ${token}`, 'Last-Event-ID': cursor },
    cache: 'no-store',
    signal: silence.signal,
  });
  const answer = await heard(asked, silence);
  const isLive = answer.status === 200 && answer.headers.get('Content-Type')?.startsWith('text/event-stream');
  // an unread body would occupy one of the browser's connections
  if (!isLive) return silence.abort();
  try {
    await readEvents(answer, silence, (event) => take(event, adopt));
  } finally {
    silence.abort();
  }
  // the server closes the connection when the user's rights change
  void refreshUser().catch(quietly);
}

async function readEvents(
  { body }: Response,
  silence: AbortController,
  told: (event: StreamEvent) => Promise<void>,
): Promise<void> {
  if (body === null) return;
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  const eventsIn = eventReader();
  for (;;) {
    const piece = await heard(reader.read(), silence);
    if (piece.done) return;
    for (const event of eventsIn(piece.value)) await told(event);
  }
}

/** Waits for a sign of life, the answer's headers included: a proxy may hold them back. Ends a connection that stays silent. */
async function heard<T>(sign: Promise<T>, silence: AbortController): Promise<T> {
  const timer = setTimeout(() => silence.abort(), SILENCE);
  return sign.finally(() => clearTimeout(timer));
}

/** Applies an event. If it does not continue from the device's cursor, reads the feed instead. */
async function take({ name, data }: StreamEvent, adopt: Adopt): Promise<void> {
  const told = (name === 'changes' ? JSON.parse(data) : {}) as { readonly since?: string; readonly page?: unknown };
  const page = readFeedPage(told.page);
  const isTaken = page !== undefined && (await takePushed(page, told.since, adopt));
  if (!isTaken && (await readOn(adopt, true)) === undefined) await beginAgain(adopt);
}

/** Ignores a lost or failed connection, because polling remains. */
function quietly(failure: unknown): void {
  const isExpected = failure instanceof ApiFailure || failure instanceof TypeError || failure instanceof DOMException;
  if (!isExpected) console.warn('Live changes cannot be followed.', failure);
}
