import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { FileType } from '../../src/domain/fields.ts';
import { type Disk, makeFolder, writeWhole } from './disk.ts';
import type { FileStore } from './file-store.ts';
import type { Wanted } from '../concurrency/concurrency.ts';
import { PictureFault } from './picture-fault.ts';
import { isPicture, type PictureType } from './picture-sizes.ts';
import { encodeAnew } from './pictures.ts';
import type { ReceivedFile } from './received.ts';

export interface UploadLimits {
  readonly maxFileBytes: number;
  readonly maxRequestBytes: number;
  readonly maxFiles: number;
}

/** The metadata of a stored file, and of the upload it was made from. */
export interface StoredFile {
  /** The random name in the uploads folder. */
  readonly name: string;
  readonly type: string;
  readonly size: number;
  readonly sha256: string;
  readonly received_size: number;
  readonly received_sha256: string;
  /** The name that the administrator's file had. */
  readonly original_name: string;
  /** ISO 8601 in UTC. */
  readonly created_at: string;
}

/** The uploads folder, and the means to work in it. */
export interface Storage {
  /** The absolute path of the uploads folder. */
  readonly folder: string;
  readonly disk: Disk;
  readonly files: FileStore;
  readonly limits: UploadLimits;
  readonly randomBytes: (count: number) => Buffer;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/** A picture that cannot be decoded. */
export class UnreadablePicture extends Error {
  readonly file: ReceivedFile;

  constructor(file: ReceivedFile, cause: unknown) {
    super(`The picture "${file.originalName}" could not be decoded.`, { cause });
    this.file = file;
  }
}

const EXTENSIONS: Readonly<Record<FileType, string>> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
  'image/gif': 'gif',
  'application/pdf': 'pdf',
  'application/msword': 'doc',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
};

/** The folder of unfinished uploads. It is on the same file system, so that a rename completes them. */
export function incomingFolder(storage: Pick<Storage, 'folder'>): string {
  return join(storage.folder, '.incoming');
}

/** A new path for an unfinished upload. */
export function incomingPath(storage: Pick<Storage, 'folder' | 'randomBytes'>): string {
  return join(incomingFolder(storage), storage.randomBytes(20).toString('hex'));
}

/** The path of a stored file. */
export function storedPath(storage: Pick<Storage, 'folder'>, name: string): string {
  return join(storage.folder, name);
}

/** Creates the folders of a new installation. */
export async function prepareFolders(storage: Storage): Promise<void> {
  await makeFolder(incomingFolder(storage));
}

/**
 * Completes a received file: re-encodes a picture, flushes every byte, and renames it to a random name. The caller keeps the
 * file (`storage.files`) and only then commits the row. Throws UnreadablePicture for an invalid picture, and what
 * `encodeAnew` throws for one that is not decoded.
 */
export async function place(storage: Storage, file: ReceivedFile, type: FileType, wanted: Wanted): Promise<StoredFile> {
  const name = `${storage.randomBytes(20).toString('hex')}.${EXTENSIONS[type]}`;
  const path = storedPath(storage, name);
  const content = isPicture(type)
    ? await placePicture(storage, file, type, { path, wanted })
    : await placeAsIs(storage, file, path);
  return {
    name,
    type,
    ...content,
    received_size: file.size,
    received_sha256: file.sha256,
    // not every database can store a NUL
    original_name: file.originalName.replaceAll('\0', ''),
    created_at: new Date(storage.now()).toISOString(),
  };
}

/** Removes received files that were not placed. */
export async function discard(storage: Storage, files: readonly ReceivedFile[]): Promise<void> {
  await Promise.all(files.map((file) => storage.disk.remove(file.path)));
}

/** The size and hash of a stored file's content. */
type Content = Pick<StoredFile, 'size' | 'sha256'>;

async function placeAsIs({ disk }: Storage, file: ReceivedFile, path: string): Promise<Content> {
  await disk.flush(file.path);
  await disk.rename(file.path, path);
  return { size: file.size, sha256: file.sha256 };
}

async function placePicture(
  storage: Storage,
  file: ReceivedFile,
  type: PictureType,
  { path, wanted }: { readonly path: string; readonly wanted: Wanted },
): Promise<Content> {
  const bytes = await encodeAnew(file.path, type, wanted).catch((cause: unknown) => {
    throw cause instanceof PictureFault ? new UnreadablePicture(file, cause) : cause;
  });
  await writeWhole(storage.disk, incomingPath(storage), path, bytes);
  return { size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
}
