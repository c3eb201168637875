import { createHash } from 'node:crypto';
import { copyFile, link, writeFile } from 'node:fs/promises';
import type { FileType } from '../../src/domain/fields.ts';
import type { PlacedFile } from '../stores/sql/record-files.ts';
import { makeMissingSizes, sizeNames, sizePaths } from '../uploads/sizes.ts';
import { type Storage, storedPath } from '../uploads/storage.ts';

/** A stored file. Further records link its bytes under names of their own. */
interface Twin {
  readonly name: string;
  /** Resolves when its smaller pictures exist too. */
  readonly sized: Promise<void>;
}

/** Files already stored, by hash. */
export type Stored = Map<string, Twin>;

/** A file to store with a record. */
export interface Sample {
  readonly field: string;
  readonly bytes: Buffer;
  readonly type: FileType;
  readonly originalName: string;
}

/**
 * Stores a file of the sample data. It is made here, so it needs no re-encoding, and it is not flushed, since it can be made
 * again. Its smaller pictures are still in progress: see `allSized`.
 */
export async function storeSample(storage: Storage, stored: Stored, sample: Sample, at: string): Promise<PlacedFile> {
  const { field, bytes, type, originalName } = sample;
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const name = `${storage.randomBytes(20).toString('hex')}.${type === 'application/pdf' ? 'pdf' : 'jpg'}`;
  const twin = stored.get(sha256);
  if (twin === undefined) await writeFile(storedPath(storage, name), bytes);
  else await linkOrCopy(storedPath(storage, twin.name), storedPath(storage, name));
  const sized = type === 'application/pdf' ? Promise.resolve() : makeSizes(storage, name, twin);
  stored.set(sha256, { name, sized });
  const size = bytes.length;
  const facts = { received_size: size, received_sha256: sha256, original_name: originalName, created_at: at };
  return { field, stored: { name, type, size, sha256, ...facts } };
}

/** Resolves when the smaller pictures of all stored files exist. */
export async function allSized(stored: Stored): Promise<void> {
  await Promise.all([...stored.values()].map((twin) => twin.sized));
}

async function makeSizes(storage: Storage, name: string, twin: Twin | undefined): Promise<void> {
  if (twin === undefined) return makeMissingSizes(storage, name);
  await twin.sized;
  const from = sizePaths(storage, twin.name);
  await Promise.all(sizePaths(storage, name).map((path, index) => linkOrCopy(from[index] ?? path, path)));
  for (const size of sizeNames(name)) await storage.files.share(size);
}

/** Links a file, or copies it if the file system has no links. Stored files never change, so two names may share one. */
async function linkOrCopy(from: string, to: string): Promise<void> {
  await link(from, to).catch(() => copyFile(from, to));
}
