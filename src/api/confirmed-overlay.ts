import type { OutboxEntry } from '../domain/outbox/vocabulary.ts';
import { device } from './device.ts';
import { type Live, openLive } from '../stores/live-value.ts';
import { liveEntries } from './live.ts';

/**
 * A confirmed change leaves the queue at once, while the copies of what it changed are still to be asked for again, which may
 * fail, and the worker sends while no page is there to ask. So what was confirmed stays laid over every copy that was asked for before
 * it, as it was sent: a new row does not vanish, nor an edited text jump back.
 */
const awaited = new Map<string, OutboxEntry>();
/** They have left the queue: what became of them is being looked up. */
let left: readonly OutboxEntry[] = [];
let confirmed: readonly OutboxEntry[] = [];
let receipts: Promise<void> | undefined;
let catchUp: (done: OutboxEntry) => Promise<void> = async () => {};
const overlay = openLive<OutboxEntry[]>();

/** The changes that are laid over the device's copies, in order: those that wait, and those that were confirmed. */
export const liveOverlay: Live<OutboxEntry[]> = overlay;

/**
 * Those of the overlay that a copy does not hold which was asked for at `fetchedAt` (epoch milliseconds). Where none was ever read,
 * what was confirmed since the page began.
 */
export function notIn(entries: readonly OutboxEntry[], fetchedAt = performance.timeOrigin): OutboxEntry[] {
  const now = Date.now();
  return entries.filter(({ state, receipt }) => {
    if (state !== 'done' || receipt === undefined) return true;
    // a clock that was set back since tells nothing
    return receipt.at > fetchedAt && receipt.at <= now;
  });
}

/** From now on runs `asked` for every change that is confirmed, so that the copies come to hold the change. */
export function followSettled(asked: (done: OutboxEntry) => Promise<void>): void {
  catchUp = asked;
  liveEntries.subscribe(look);
}

/** Notes a change that was just saved here: on a good link it can be confirmed before anybody saw it wait. */
export function expectSettling<E extends OutboxEntry>(entry: E): E {
  awaited.set(entry.id, entry);
  return entry;
}

function look(): void {
  const waiting = liveEntries.value() ?? [];
  const ids = new Set(waiting.map(({ id }) => id));
  const gone = [...awaited.values()].filter(({ id }) => !ids.has(id));
  for (const entry of gone) awaited.delete(entry.id);
  for (const entry of waiting) awaited.set(entry.id, entry);
  left = [...left, ...gone];
  // behind the first look at the queue: what has left it before then is among the receipts
  receipts ??= readConfirmed();
  publish();
  for (const entry of gone) void settle(entry);
}

async function readConfirmed(): Promise<void> {
  try {
    const { confirmedChanges } = await device();
    const earlier = await confirmedChanges();
    confirmed = [...earlier, ...confirmed];
  } catch (failure) {
    console.warn('What was confirmed cannot be told.', failure);
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
    if (done !== undefined) confirmed = [...confirmed, done];
    publish();
  }
  if (done !== undefined) await catchUp(done);
}

function publish(): void {
  void receipts?.then(tell);
}

/** Of a change that is known from several sides, the last one counts: nothing follows upon a confirmation. */
function tell(): void {
  const known = [...left, ...(liveEntries.value() ?? []), ...confirmed];
  const latest = new Map(known.map((entry) => [entry.id, entry]));
  overlay.tell([...latest.values()].toSorted((one, other) => one.sequence - other.sequence));
}
