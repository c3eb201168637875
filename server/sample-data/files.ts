import { createHash } from 'node:crypto';
import { copyFile, link, writeFile } from 'node:fs/promises';
import type { FileType } from '../../src/domain/fields.ts';
import type { PlacedFile } from '../records/files.ts';
import { type Storage, storedPath } from '../storage/uploads.ts';

/** Bytes that were stored already, by hash: further records get a name of their own for the same bytes. */
export type Stored = Map<string, string>;

/** A file to be stored with a record. */
export interface Sample {
  readonly field: string;
  readonly bytes: Buffer;
  readonly type: FileType;
  readonly originalName: string;
}

/** Stores a file of the sample data. Made here, so it needs no encoding anew; and not flushed, since it can be made again. */
export async function storeSample(storage: Storage, stored: Stored, sample: Sample, at: string): Promise<PlacedFile> {
  const { field, bytes, type, originalName } = sample;
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const name = `${storage.randomBytes(20).toString('hex')}.${type === 'application/pdf' ? 'pdf' : 'jpg'}`;
  const twin = stored.get(sha256);
  if (twin === undefined) await writeFile(storedPath(storage, name), bytes);
  else await linkOrCopy(storedPath(storage, twin), storedPath(storage, name));
  stored.set(sha256, twin ?? name);
  const size = bytes.length;
  const facts = { received_size: size, received_sha256: sha256, original_name: originalName, created_at: at };
  return { field, stored: { name, type, size, sha256, ...facts } };
}

/** Stored files never change, so two names may share one file; where the file system cannot, it is copied. */
async function linkOrCopy(from: string, to: string): Promise<void> {
  await link(from, to).catch(() => copyFile(from, to));
}
