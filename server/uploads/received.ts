import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { FileType } from '../../src/domain/fields.ts';
import type { Disk, NewFile } from './disk.ts';
import { examine, HEAD_BYTES } from './sniff.ts';
import type { WordFault } from './word-package.ts';

/** A received file in the folder of unfinished uploads. */
export interface ReceivedFile {
  /** The name of the field, without `[]`. */
  readonly field: string;
  readonly path: string;
  readonly originalName: string;
  /** Bytes received. Those past the limit are counted but not kept. */
  readonly size: number;
  /** Of all bytes received. */
  readonly sha256: string;
  /** The type that the content shows, or undefined if it is not accepted. */
  readonly type: FileType | undefined;
  /** Why a Word document is not accepted. */
  readonly fault?: WordFault;
}

interface Arriving {
  readonly field: string;
  readonly originalName: string;
  readonly path: string;
  readonly maxBytes: number;
}

/** Writes a file to the disk as it arrives. It is flushed later, when it is kept. */
export async function receiveFile(disk: Disk, source: Readable, arriving: Arriving): Promise<ReceivedFile> {
  const { field, originalName, path, maxBytes } = arriving;
  const file = await disk.create(path);
  try {
    const { head, size, sha256 } = await copy(source, file, maxBytes);
    return { field, path, originalName, size, sha256, ...(await examine(head, path)) };
  } catch (error) {
    await disk.remove(path);
    throw error;
  } finally {
    await file.close();
  }
}

async function copy(source: Readable, file: NewFile, maxBytes: number) {
  const hash = createHash('sha256');
  let head: Buffer = Buffer.alloc(0);
  let size = 0;
  let fault: unknown;
  for await (const chunk of source as AsyncIterable<Buffer>) {
    hash.update(chunk);
    size += chunk.length;
    if (head.length < HEAD_BYTES) head = Buffer.concat([head, chunk.subarray(0, HEAD_BYTES - head.length)]);
    // Keeps reading after a fault: an unread part would block the rest of the form, and with it the response.
    if (size <= maxBytes && fault === undefined) await file.write(chunk).catch((error: unknown) => (fault = error));
  }
  if (fault !== undefined) throw fault;
  return { head, size, sha256: hash.digest('hex') };
}
