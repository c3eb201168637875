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
  /** Somebody wants it sent over any link. */
  readonly anyway?: true;
}

/** What is known of the files that travel before their changes. */
export interface Travel {
  /** The server takes files of so many bytes before their change. Absent where it takes none so. */
  readonly fromBytes?: number;
  /** By SHA-256. */
  readonly uploads: ReadonlyMap<string, Upload>;
  /** Files of more bytes are to go over Wi-Fi alone. Absent where nobody asked for that. */
  readonly wifiOver?: number;
  /** The link is surely no Wi-Fi. */
  readonly metered?: boolean;
}

/** So many bytes of small files go inside one change. A worker that is ended every few seconds still gets them through. */
const MOST_INSIDE = 1024 * 1024;

/** The files of a change that go before it: the large ones, and all where the small ones are many. */
export function travellingFiles(entry: OutboxEntry, travel: Travel | undefined): readonly FileReference[] {
  if (travel?.fromBytes === undefined) return [];
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

/**
 * Links that may cost by the byte, by the types of the Network Information API. A browser that knows no type, or another one, holds
 * nothing back: what waits for a Wi-Fi that nobody sees would wait for ever.
 */
const METERED = new Set(['cellular', 'bluetooth', 'wimax', 'none']);

/** True where the type of the link says that it is surely no Wi-Fi. */
export function isMetered(linkType: string | undefined): boolean {
  return linkType !== undefined && METERED.has(linkType);
}

/** True for a file that is to wait for Wi-Fi now. */
function waitsForWifi({ sha256, size }: FileReference, { metered, wifiOver, uploads }: Travel): boolean {
  if (!metered || wifiOver === undefined || size <= wifiOver) return false;
  const upload = uploads.get(sha256);
  return !upload?.anyway && !isThere(upload);
}

/** The files of a change that wait for Wi-Fi now, also those that travel inside it. */
export function filesForWifi(entry: OutboxEntry, travel: Travel | undefined): readonly FileReference[] {
  return travel === undefined ? [] : filesOf(entry).filter((file) => waitsForWifi(file, travel));
}

/** True when a change waits for none of its files. */
export function hasItsFiles(entry: OutboxEntry, travel: Travel | undefined): boolean {
  return missingFiles(entry, travel).length === 0 && filesForWifi(entry, travel).length === 0;
}

/** When a file can go on: now (`undefined`), at a time, or not by itself (`Infinity`). */
export function uploadWait(file: FileReference, travel: Travel, now: number): number | undefined {
  const upload = travel.uploads.get(file.sha256);
  if (upload?.halted || waitsForWifi(file, travel)) return Number.POSITIVE_INFINITY;
  if (upload?.notBefore === undefined) return undefined;
  return stillWaiting(upload.triedAt, upload.notBefore, now) ? upload.notBefore : undefined;
}
