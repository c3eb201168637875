import { filesForWifi, missingFiles, type Travel } from './uploads.ts';
import { filesOf, type OutboxEntry } from './vocabulary.ts';

/** How far something has come, in bytes. */
export interface Progress {
  readonly sent: number;
  readonly total: number;
}

/** What a change weighs beside its files, in bytes: its texts, and the head of its request. */
const TEXTS = 1_024;

/** How far a change has come: what the server holds of its files by now. */
export function progressOf(entry: OutboxEntry, travel: Travel | undefined): Progress {
  const files = filesOf(entry);
  const held = files.map(({ sha256, size }) => Math.min(size, travel?.uploads.get(sha256)?.offset ?? 0));
  return { sent: sumOf(held), total: sumOf(files.map(({ size }) => size)) + TEXTS };
}

/** How far all changes have come that leave by themselves. */
export function queueProgress(entries: readonly OutboxEntry[], travel: Travel | undefined): Progress {
  const each = entries.filter(({ state }) => state !== 'attention').map((entry) => progressOf(entry, travel));
  return { sent: sumOf(each.map(({ sent }) => sent)), total: sumOf(each.map(({ total }) => total)) };
}

/** True where somebody has paused files of a change that are not there yet. It does not go on by itself. */
export function isPaused(entry: OutboxEntry, travel: Travel | undefined): boolean {
  if (entry.state !== 'pending') return false;
  return missingFiles(entry, travel).some(({ sha256 }) => travel?.uploads.get(sha256)?.halted === true);
}

/** True where files of a change wait for Wi-Fi. It does not go on over this link. */
export function isForWifi(entry: OutboxEntry, travel: Travel | undefined): boolean {
  return entry.state === 'pending' && filesForWifi(entry, travel).length > 0;
}

/** Bytes that are left of the changes that are paused. */
export function pausedBytes(entries: readonly OutboxEntry[], travel: Travel | undefined): number {
  return bytesLeft(
    entries.filter((entry) => isPaused(entry, travel)),
    travel,
  );
}

/** Bytes that are left of the changes that wait for Wi-Fi, and are not paused besides. */
export function bytesForWifi(entries: readonly OutboxEntry[], travel: Travel | undefined): number {
  return bytesLeft(
    entries.filter((entry) => isForWifi(entry, travel) && !isPaused(entry, travel)),
    travel,
  );
}

function bytesLeft(entries: readonly OutboxEntry[], travel: Travel | undefined): number {
  const each = entries.map((entry) => progressOf(entry, travel));
  return sumOf(each.map(({ sent, total }) => total - sent));
}

/** True while a file is on its way before its change: some of it may go out at this moment. */
export function isTravelling(entry: OutboxEntry, travel: Travel | undefined): boolean {
  if (entry.state !== 'pending') return false;
  const held = filesForWifi(entry, travel);
  return missingFiles(entry, travel).some((file) => {
    const upload = travel?.uploads.get(file.sha256);
    if (upload === undefined || held.includes(file)) return false;
    return upload.notBefore === undefined && upload.halted === undefined;
  });
}

/** What was seen of the progress, and when (epoch milliseconds). `arrived` only grows. */
export interface Sample {
  readonly at: number;
  readonly arrived: number;
}

/** For so long what was seen counts, and so long it takes before anything is said. Milliseconds. */
const LOOKED_BACK = 3 * 60_000;
const AT_LEAST = 15_000;

/** The samples that count, with one more. */
export function sampled(samples: readonly Sample[], next: Sample): readonly Sample[] {
  return [...samples.filter(({ at }) => at <= next.at && next.at - at <= LOOKED_BACK), next];
}

/**
 * How long the rest takes, in milliseconds, at the pace of the last minutes, with the breaks that the link took in them. Undefined where
 * too little was seen to tell, or nothing moved.
 */
export function timeLeft(samples: readonly Sample[], left: number): number | undefined {
  const [first, last] = [samples[0], samples.at(-1)];
  if (first === undefined || last === undefined || last.at - first.at < AT_LEAST) return undefined;
  const pace = (last.arrived - first.arrived) / (last.at - first.at);
  return pace > 0 ? left / pace : undefined;
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}
