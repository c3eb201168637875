import type { OutboxEntry } from '../domain/outbox/vocabulary.ts';
import { device } from './device.ts';
import { type Live, openLive } from '../stores/live-value.ts';
import { liveEntries } from './live.ts';

/**
 * The pending changes as last seen. A confirmed change leaves the queue at once, but the copies it affects are refreshed
 * later. That refresh may fail, and the worker may send while no page is open. So a confirmed change stays applied, as sent,
 * to every copy requested before it. Otherwise a new row would vanish and an edited text would jump back.
 */
const awaited = new Map<string, OutboxEntry>();
/** Changes that have left the queue and whose outcome is being looked up. */
let left: readonly OutboxEntry[] = [];
let confirmed: readonly OutboxEntry[] = [];
let receipts: Promise<void> | undefined;
let catchUp: (done: OutboxEntry) => Promise<void> = async () => {};
const overlay = openLive<OutboxEntry[]>();

/** The changes applied to the device's copies, in order: pending and confirmed ones. */
export const liveOverlay: Live<OutboxEntry[]> = overlay;

/**
 * The overlay's changes that a copy requested at `fetchedAt` (epoch milliseconds) does not contain. If no copy was ever
 * read, includes the changes confirmed since the page started.
 */
export function notIn(entries: readonly OutboxEntry[], fetchedAt = performance.timeOrigin): OutboxEntry[] {
  const now = Date.now();
  // a copy from the future was read while the clock was ahead: anything may have been confirmed since
  const readAt = fetchedAt > now ? 0 : fetchedAt;
  return entries.filter(({ state, receipt }) => {
    if (state !== 'done' || receipt === undefined) return true;
    // a receipt from the future means that the clock was set back, so it says nothing
    return receipt.at > readAt && receipt.at <= now;
  });
}

/** From now on runs `asked` for every confirmed change, so that the copies are refreshed. */
export function followSettled(asked: (done: OutboxEntry) => Promise<void>): void {
  catchUp = asked;
  liveEntries.subscribe(look);
}

/** Tracks a change that was just saved here. On a good link it may be confirmed before it was ever seen in the queue. */
export function expectSettling<E extends OutboxEntry>(entry: E): E {
  awaited.set(entry.id, entry);
  return entry;
}

function look(): void {
  const waiting = liveEntries.value();
  if (waiting === undefined) return forgetUser();
  const ids = new Set(waiting.map(({ id }) => id));
  const gone = [...awaited.values()].filter(({ id }) => !ids.has(id));
  for (const entry of gone) awaited.delete(entry.id);
  for (const entry of waiting) awaited.set(entry.id, entry);
  left = [...left, ...gone];
  // after the first read of the queue: changes that left it earlier have receipts
  receipts ??= readConfirmed();
  publish();
  for (const entry of gone) void settle(entry);
}

/** Another user is signed in: nothing that waits for the last one is applied to their copies. */
function forgetUser(): void {
  awaited.clear();
  left = [];
  publish();
}

async function readConfirmed(): Promise<void> {
  try {
    const { confirmedChanges } = await device();
    const earlier = await confirmedChanges();
    confirmed = [...earlier, ...confirmed];
  } catch (failure) {
    console.warn('Cannot read the confirmed changes.', failure);
  }
}

async function settle({ id }: OutboxEntry): Promise<void> {
  let done: OutboxEntry | undefined;
  try {
    const { findEntry, browserEnvironment } = await device();
    const found = await findEntry(browserEnvironment(), id);
    if (found?.state === 'done') done = found;
  } finally {
    left = left.filter((entry) => entry.id !== id);
    if (done !== undefined) confirmed = [...confirmed, notFromFuture(done)];
    publish();
  }
  if (done !== undefined) await catchUp(done);
}

/** A change that was just confirmed. If the clock was put right in between, its receipt would hide it until that date. */
function notFromFuture(done: OutboxEntry): OutboxEntry {
  const now = Date.now();
  if (done.state !== 'done' || done.receipt.at <= now) return done;
  return { ...done, receipt: { ...done.receipt, at: now } };
}

function publish(): void {
  void receipts?.then(tell);
}

/** Publishes the overlay. If sources overlap, the last one wins, because confirmation is the final state. */
function tell(): void {
  const known = [...left, ...(liveEntries.value() ?? []), ...confirmed];
  const latest = new Map(known.map((entry) => [entry.id, entry]));
  overlay.tell([...latest.values()].toSorted((one, other) => one.sequence - other.sequence));
}
