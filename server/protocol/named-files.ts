import { open } from 'node:fs/promises';
import type { NamedFile } from '../../src/domain/protocol/staging.ts';
import { Refusal } from '../errors/refusal.ts';
import type { Staging } from '../staging/staging.ts';
import type { ReceivedFile } from '../uploads/received.ts';
import { HEAD_BYTES, examine } from '../uploads/sniff.ts';
import { incomingPath, type Storage } from '../uploads/storage.ts';

/** The largest MAX_FILES. That setting limits the files of a change. */
const MOST_NAMED = 1000;
const LONGEST_NAME = 255;

/** Where a named file may come from: the request or staging. */
export interface Sources {
  readonly staging: Staging;
  readonly storage: Storage;
  readonly userId: number;
}

/** Parses a JSON array of named files. Throws 400. */
export function namedFiles(text: string | undefined): readonly NamedFile[] {
  return text === undefined ? [] : namedFilesIn(parsed(text));
}

/** Validates an already parsed list of named files, and takes nothing else from it. Throws 400. */
export function namedFilesIn(list: unknown): readonly NamedFile[] {
  if (!Array.isArray(list) || list.length > MOST_NAMED || !list.every(isNamedFile)) throw malformed();
  return list.map(onlyNamed);
}

/** Without further members: a received file has a path on this server's disk, which no sender may set. */
function onlyNamed({ field, sha256, name, type, place }: NamedFile): NamedFile {
  return { field, sha256, name, type, ...(place === undefined ? {} : { place }) };
}

/** Inserts named files among the form's files at their positions; files without a position go last. */
export function insertNamed(
  parts: readonly ReceivedFile[],
  named: readonly NamedFile[],
): readonly (ReceivedFile | NamedFile)[] {
  const all: (ReceivedFile | NamedFile)[] = [...parts];
  const placeOf = ({ place = Number.MAX_SAFE_INTEGER }: NamedFile) => place;
  for (const file of named.toSorted((one, other) => placeOf(one) - placeOf(other))) {
    all.splice(placeOf(file), 0, file);
  }
  return all;
}

/** Links a named file under a new name. Undefined if it is missing. */
export async function fetchNamed(sources: Sources, file: NamedFile): Promise<ReceivedFile | undefined> {
  const { storage, staging, userId } = sources;
  const { field, sha256, name: originalName } = file;
  const path = incomingPath(storage);
  const size = await staging.take(userId, sha256, path);
  if (size === undefined) return undefined;
  try {
    return { field, sha256, originalName, path, size, ...(await examine(await headOf(path), path)) };
  } catch (error) {
    await storage.disk.remove(path);
    throw error;
  }
}

/** The beginning of a file, with zeros after the end of a shorter one. */
async function headOf(path: string): Promise<Buffer> {
  const file = await open(path);
  try {
    const { buffer } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return buffer;
  } finally {
    await file.close();
  }
}

function isNamedFile(file: unknown): file is NamedFile {
  const { field, sha256, name, place } = (file ?? {}) as Partial<Record<keyof NamedFile, unknown>>;
  const isHash = typeof sha256 === 'string' && /^[0-9a-f]{64}$/.test(sha256);
  const isPlace = place === undefined || (Number.isInteger(place) && Number(place) >= 0);
  return isHash && isPlace && typeof field === 'string' && typeof name === 'string' && name.length <= LONGEST_NAME;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw malformed();
  }
}

function malformed(): Refusal {
  return new Refusal(400, { message: 'The list of files that this change names cannot be read.' });
}
