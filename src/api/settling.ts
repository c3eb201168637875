import type { OutboxEntry } from '../domain/outbox/vocabulary.ts';
import { device } from './device.ts';
import { type Live, openLive } from '../stores/live-value.ts';
import { liveEntries } from './live.ts';

/**
 * A confirmed change leaves the queue at once, while the copies of what it changed are still to be asked for again. Until they
 * have been, it stays laid over them: a new row does not vanish for a moment, nor an edited text jump back.
 */
const awaited = new Map<string, OutboxEntry>();
let settling: readonly OutboxEntry[] = [];
let catchUp: (done: OutboxEntry) => Promise<void> = async () => {};
const overlay = openLive<OutboxEntry[]>();

/** The changes to lay over the device's copies: those that wait, and those that were confirmed a moment ago. */
export const liveOverlay: Live<OutboxEntry[]> = overlay;

/** From now on runs `asked` for every change that is confirmed; when it has ended, the copies hold the change. */
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
  const left = [...awaited.values()].filter(({ id }) => !ids.has(id));
  for (const entry of left) awaited.delete(entry.id);
  for (const entry of waiting) awaited.set(entry.id, entry);
  settling = [...settling, ...left];
  publish();
  for (const entry of left) void settle(entry);
}

async function settle({ id }: OutboxEntry): Promise<void> {
  try {
    const { findEntry, browserEnvironment } = await device();
    const found = await findEntry(browserEnvironment(), id);
    if (found?.state === 'done') await catchUp(found);
  } finally {
    settling = settling.filter((entry) => entry.id !== id);
    publish();
  }
}

function publish(): void {
  overlay.tell([...settling, ...(liveEntries.value() ?? [])]);
}
