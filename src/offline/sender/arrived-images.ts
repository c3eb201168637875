import { compare } from '../../domain/outbox/conflict.ts';
import { mayBeDelivered } from '../../domain/outbox/delivery.ts';
import type { FileReference, OutboxEntry } from '../../domain/outbox/vocabulary.ts';
import { type ServerRecord, textOf, uploadAddress } from '../../domain/resource.ts';
import { resourceOf } from '../../domain/resources/index.ts';
import { sha256 } from '../storage/files.ts';
import { type Reading, readRecord } from './reading.ts';
import type { Sender } from './sender.ts';

const DOWNLOAD_TIMEOUT = 60_000;
const GONE: ReadonlySet<number> = new Set([404, 410]);
const GONE_BYTES = new ArrayBuffer(0);

/**
 * On a contract-only server `images[]` adds at every repeat. Before the first attempt the record's image ids are noted;
 * in doubt, the images that are new since are compared byte for byte, and those that have arrived are not sent again.
 */
export async function withoutArrivedImages(sender: Sender, entry: OutboxEntry): Promise<Reading<OutboxEntry>> {
  const { change } = entry;
  if (change.op !== 'update' || !change.files.some(isImage)) return { kind: 'found', value: entry };
  const record = await readRecord(sender, resourceOf(change.resource), change.recordId);
  if (record.kind !== 'found') return record;
  const stored = record.value.images ?? [];
  if (!mayBeDelivered(entry)) return { kind: 'found', value: { ...entry, baselineIds: stored.map(({ id }) => id) } };
  const fresh = stored.filter(({ id }) => !(entry.baselineIds ?? []).includes(id));
  const arrived = await hashesOf(
    sender,
    fresh.map(({ image }) => image),
  );
  if (arrived === undefined) {
    return { kind: 'fault', outcome: { kind: 'unreachable', message: 'The images could not be read.' } };
  }
  return {
    kind: 'found',
    value: { ...entry, change: { ...change, files: notAmong(change.files, arrived.map(ofImages)) } },
  };
}

/** True when the server already holds everything the change wanted, so that there is nothing to repeat. */
export function foundAlready({ change }: OutboxEntry): boolean {
  if (change.op !== 'update' && change.op !== 'save-settings') return false;
  if ('files' in change && change.files.length > 0) return false;
  return compare(change, change.base).differences.length === 0;
}

/**
 * The files of a change that a record of this repository's server does not hold, by the hash under which each was received. An image
 * that came to the record since (`knownImages` were there) and is none of these was lost on this device and attached again as other
 * bytes: one of the others stands for it.
 */
export function missingFiles(
  files: readonly FileReference[],
  record: ServerRecord,
  knownImages: readonly number[],
): FileReference[] {
  const known = new Set((record.images ?? []).filter(({ id }) => knownImages.includes(id)).map(({ image }) => image));
  const received = (Array.isArray(record['files']) ? record['files'] : []) as readonly ReceivedFile[];
  const missing = notAmong(files, received);
  const hashes = files.map(({ sha256: hash }) => hash);
  let replaced = received.filter(
    (there) => isImage(there) && !known.has(there.name) && !hashes.includes(there.sha256),
  ).length;
  return missing.filter((file) => {
    if (!isImage(file) || replaced === 0) return true;
    replaced -= 1;
    return false;
  });
}

/**
 * True when one of the pictures that a create brings is stored with the record, byte for byte: its own row, not one that only looks
 * like it. Undefined when a picture could not be read.
 */
export async function holdsPictureOf(
  sender: Sender,
  { files }: { readonly files: readonly FileReference[] },
  record: ServerRecord,
): Promise<boolean | undefined> {
  const fields = new Set(files.map(({ field }) => field));
  const names = [
    ...(fields.has('images') ? (record.images ?? []).map(({ image }) => image) : []),
    ...(fields.has('image') ? [textOf(record['image'])] : []),
  ];
  const hashes = await hashesOf(
    sender,
    names.filter((name) => name !== ''),
  );
  return hashes && files.some((file) => hashes.includes(file.sha256));
}

/** What a server of this repository tells of a stored file: the hash of what was received for it. */
interface ReceivedFile extends StoredBytes {
  readonly name: string;
}

interface StoredBytes {
  readonly field: string;
  readonly sha256: string;
}

/** Hashes of stored images. Undefined when one could not be read. */
async function hashesOf({ environment }: Sender, names: readonly string[]): Promise<string[] | undefined> {
  const hashes: string[] = [];
  for (const name of names) {
    const bytes = await download(environment, name);
    if (bytes === undefined) return undefined;
    hashes.push(await sha256(bytes));
  }
  return hashes;
}

async function download(
  { fetch, after, origin }: Sender['environment'],
  name: string,
): Promise<ArrayBuffer | undefined> {
  const controller = new AbortController();
  const stopWaiting = after(DOWNLOAD_TIMEOUT, () => controller.abort());
  try {
    const address = new URL(uploadAddress(name), origin).href;
    const response = await fetch(address, { redirect: 'manual', cache: 'no-store', signal: controller.signal });
    const type = response.headers.get('Content-Type') ?? '';
    // the server has lost it: no bytes are the same
    if (GONE.has(response.status)) return GONE_BYTES;
    // a login page or a portal's is not the picture
    if (response.status !== 200 || /^text\/|json/.test(type)) return undefined;
    const bytes = await response.arrayBuffer();
    // no picture is empty: taken for other bytes, it would have the image sent once more
    return bytes.byteLength === 0 ? undefined : bytes;
  } catch {
    return undefined;
  } finally {
    stopWaiting();
  }
}

/** The files that are not stored. Two equal photos need two stored ones. */
function notAmong(files: readonly FileReference[], arrived: readonly StoredBytes[]): FileReference[] {
  const left = [...arrived];
  return files.filter((file) => {
    const place = left.findIndex((there) => there.field === file.field && there.sha256 === file.sha256);
    if (place === -1) return true;
    left.splice(place, 1);
    return false;
  });
}

function ofImages(hash: string) {
  return { field: 'images', sha256: hash };
}

function isImage({ field }: { readonly field: string }): boolean {
  return field === 'images';
}
