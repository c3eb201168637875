import { stillWaiting } from './backoff.ts';
import { type FileReference, filesOf, type OutboxEntry } from './vocabulary.ts';

/** The progress of a file that is staged before its change. Belongs to one administrator. Times are epoch milliseconds. */
export interface Upload {
  readonly sha256: string;
  /** Bytes. */
  readonly size: number;
  /** Bytes that the server holds, as last reported. Equal to `size` once the upload is complete. */
  readonly offset: number;
  /** Consecutive attempts without progress. */
  readonly failures: number;
  /** How often the upload restarted because the server had wrong bytes or had lost the file. */
  readonly restarts: number;
  readonly triedAt: number;
  readonly notBefore?: number;
  /** Why the file waits, in the server's words. */
  readonly message?: string;
  /** A proxy accepts no pieces, so the file is sent inside its change. */
  readonly inside?: true;
  /** Paused by someone. */
  readonly halted?: true;
  /** Allowed over any link by someone. */
  readonly anyway?: true;
}

/** The state of all staged files. */
export interface Travel {
  /** The server stages files from this size in bytes. Absent if it has no staging. */
  readonly fromBytes?: number;
  /** By SHA-256. */
  readonly uploads: ReadonlyMap<string, Upload>;
  /** Files with more bytes are sent over Wi-Fi only. Absent if there is no such limit. */
  readonly wifiOver?: number;
  /** The link is known not to be Wi-Fi. */
  readonly metered?: boolean;
}

/** The most bytes of small files inside one change. A worker that is stopped every few seconds can still send them. */
const MOST_INSIDE = 1024 * 1024;

/** The files to stage before a change: the large ones, or all of them if the small ones add up to too much. */
export function travellingFiles(entry: OutboxEntry, travel: Travel | undefined): readonly FileReference[] {
  if (travel?.fromBytes === undefined) return [];
  const { fromBytes, uploads } = travel;
  const files = filesOf(entry).filter(({ sha256 }) => uploads.get(sha256)?.inside === undefined);
  const inside = files.reduce((sum, { size }) => (size < fromBytes ? sum + size : sum), 0);
  return inside > MOST_INSIDE ? files : files.filter(({ size }) => size >= fromBytes);
}

/** The staged files that have not fully arrived. */
export function missingFiles(entry: OutboxEntry, travel: Travel | undefined): readonly FileReference[] {
  return travellingFiles(entry, travel).filter(({ sha256 }) => !isThere(travel?.uploads.get(sha256)));
}

/** True when every byte of the file has arrived. */
function isThere(upload: Upload | undefined): boolean {
  return upload !== undefined && upload.offset === upload.size;
}

/**
 * Link types of the Network Information API that may cost by the byte. An unknown or other type holds nothing back: a file
 * that waits for an undetectable Wi-Fi would wait forever.
 */
const METERED = new Set(['cellular', 'bluetooth', 'wimax', 'none']);

/** True when the link's type rules out Wi-Fi. */
export function isMetered(linkType: string | undefined): boolean {
  return linkType !== undefined && METERED.has(linkType);
}

/** True if a file has to wait for Wi-Fi now. */
function waitsForWifi({ sha256, size }: FileReference, { metered, wifiOver, uploads }: Travel): boolean {
  if (!metered || wifiOver === undefined || size <= wifiOver) return false;
  const upload = uploads.get(sha256);
  return !upload?.anyway && !isThere(upload);
}

/** The files of a change that wait for Wi-Fi now, including those sent inside it. */
export function filesForWifi(entry: OutboxEntry, travel: Travel | undefined): readonly FileReference[] {
  return travel === undefined ? [] : filesOf(entry).filter((file) => waitsForWifi(file, travel));
}

/** True when none of a change's files hold it back. */
export function hasItsFiles(entry: OutboxEntry, travel: Travel | undefined): boolean {
  return missingFiles(entry, travel).length === 0 && filesForWifi(entry, travel).length === 0;
}

/** When a file can continue: now (`undefined`), at a time in epoch milliseconds, or not by itself (`Infinity`). */
export function uploadWait(file: FileReference, travel: Travel, now: number): number | undefined {
  const upload = travel.uploads.get(file.sha256);
  if (upload?.halted || waitsForWifi(file, travel)) return Number.POSITIVE_INFINITY;
  if (upload?.notBefore === undefined) return undefined;
  return stillWaiting(upload.triedAt, upload.notBefore, now) ? upload.notBefore : undefined;
}
