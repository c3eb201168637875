import { filesForWifi, missingFiles, type Travel } from './uploads.ts';
import { filesOf, type OutboxEntry } from './vocabulary.ts';

/** Upload progress in bytes. */
export interface Progress {
  readonly sent: number;
  readonly total: number;
}

/** Estimated size of a change's texts and request headers. Bytes. */
const TEXTS = 1_024;

/** The progress of a change, by how much of its files the server holds. */
export function progressOf(entry: OutboxEntry, travel: Travel | undefined): Progress {
  const files = filesOf(entry);
  const held = files.map(({ sha256, size }) => Math.min(size, travel?.uploads.get(sha256)?.offset ?? 0));
  return { sent: sumOf(held), total: sumOf(files.map(({ size }) => size)) + TEXTS };
}

/** The progress of all changes that are sent automatically. */
export function queueProgress(entries: readonly OutboxEntry[], travel: Travel | undefined): Progress {
  const each = entries.filter(({ state }) => state !== 'attention').map((entry) => progressOf(entry, travel));
  return { sent: sumOf(each.map(({ sent }) => sent)), total: sumOf(each.map(({ total }) => total)) };
}

/** True if someone has paused files of the change that have not arrived. It does not continue automatically. */
export function isHalted(entry: OutboxEntry, travel: Travel | undefined): boolean {
  if (entry.state !== 'pending') return false;
  return missingFiles(entry, travel).some(({ sha256 }) => travel?.uploads.get(sha256)?.halted === true);
}

/** True if files of the change wait for Wi-Fi. It does not continue over this link. */
export function isForWifi(entry: OutboxEntry, travel: Travel | undefined): boolean {
  return entry.state === 'pending' && filesForWifi(entry, travel).length > 0;
}

/** Remaining bytes of the paused changes. */
export function pausedBytes(entries: readonly OutboxEntry[], travel: Travel | undefined): number {
  return bytesLeft(
    entries.filter((entry) => isHalted(entry, travel)),
    travel,
  );
}

/** Remaining bytes of the changes that wait for Wi-Fi and are not paused. */
export function bytesForWifi(entries: readonly OutboxEntry[], travel: Travel | undefined): number {
  return bytesLeft(
    entries.filter((entry) => isForWifi(entry, travel) && !isHalted(entry, travel)),
    travel,
  );
}

function bytesLeft(entries: readonly OutboxEntry[], travel: Travel | undefined): number {
  const each = entries.map((entry) => progressOf(entry, travel));
  return sumOf(each.map(({ sent, total }) => total - sent));
}

/** True while a file is being staged for the change, so bytes may be in flight. */
export function isTravelling(entry: OutboxEntry, travel: Travel | undefined): boolean {
  if (entry.state !== 'pending') return false;
  const held = filesForWifi(entry, travel);
  return missingFiles(entry, travel).some((file) => {
    const upload = travel?.uploads.get(file.sha256);
    if (upload === undefined || held.includes(file)) return false;
    return upload.notBefore === undefined && upload.halted === undefined;
  });
}

/** Progress at a moment (epoch milliseconds). `arrived` only grows. */
export interface Sample {
  readonly at: number;
  readonly arrived: number;
}

/** How long samples count, and how long before an estimate is given. Milliseconds. */
const LOOKED_BACK = 3 * 60_000;
const AT_LEAST = 15_000;

/** Adds a sample and drops those that no longer count. */
export function sampled(samples: readonly Sample[], next: Sample): readonly Sample[] {
  return [...samples.filter(({ at }) => at <= next.at && next.at - at <= LOOKED_BACK), next];
}

/**
 * The estimated time for the rest, in milliseconds, at the pace of the last minutes, including interruptions of the link.
 * Undefined if there are too few samples or nothing moved.
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
