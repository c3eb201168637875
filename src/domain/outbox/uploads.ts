import { stillWaiting } from './backoff.ts';
import { type FileReference, filesOf, type OutboxEntry } from './vocabulary.ts';

/** How far a file has come that travels before its change. Belongs to one person; times are epoch milliseconds. */
export interface Upload {
  readonly sha256: string;
  /** Bytes. */
  readonly size: number;
  /** Bytes that the server holds, as it last told. All of them: the file is there. */
  readonly offset: number;
  /** Attempts in a row that brought nothing further. */
  readonly failures: number;
  /** How often the server found other bytes than the file's, or did not have it any more, and it began anew. */
  readonly restarts: number;
  readonly triedAt: number;
  readonly notBefore?: number;
  /** Why it waits, in the server's words. */
  readonly message?: string;
  /** Something in between takes no pieces: it travels inside its change. */
  readonly inside?: true;
  /** Somebody has halted it. */
  readonly halted?: true;
}

/** What is known of the files that travel before their changes. */
export interface Travel {
  /** The server takes files of so many bytes before their change. */
  readonly fromBytes: number;
  /** By SHA-256. */
  readonly uploads: ReadonlyMap<string, Upload>;
}

/** So many bytes of small files go inside one change. A worker that is ended every few seconds still gets them through. */
const MOST_INSIDE = 1024 * 1024;

/** The files of a change that go before it: the large ones, and all where the small ones are many. */
export function travellingFiles(entry: OutboxEntry, travel: Travel | undefined): readonly FileReference[] {
  if (travel === undefined) return [];
  const { fromBytes, uploads } = travel;
  const files = filesOf(entry).filter(({ sha256 }) => uploads.get(sha256)?.inside === undefined);
  const inside = files.reduce((sum, { size }) => (size < fromBytes ? sum + size : sum), 0);
  return inside > MOST_INSIDE ? files : files.filter(({ size }) => size >= fromBytes);
}

/** Those of them that are not there yet. */
export function missingFiles(entry: OutboxEntry, travel: Travel | undefined): readonly FileReference[] {
  return travellingFiles(entry, travel).filter(({ sha256 }) => !isThere(travel?.uploads.get(sha256)));
}

/** True when every byte of it has arrived. */
function isThere(upload: Upload | undefined): boolean {
  return upload !== undefined && upload.offset === upload.size;
}

/** When a file can go on: now (`undefined`), at a time, or not by itself (`Infinity`). */
export function uploadWait(file: FileReference, travel: Travel, now: number): number | undefined {
  const upload = travel.uploads.get(file.sha256);
  if (upload?.halted) return Number.POSITIVE_INFINITY;
  if (upload?.notBefore === undefined) return undefined;
  return stillWaiting(upload.triedAt, upload.notBefore, now) ? upload.notBefore : undefined;
}
