import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  paginateListObjectsV2,
  PutObjectCommand,
} from '@aws-sdk/client-s3';
import { measured } from '../ops/measured.ts';
import { bucketAt } from './bucket-address.ts';
import { arriving, asAway, asMissing, type Bucket, clientOf, keyOf, LIMITS, looked } from './bucket-client.ts';
import { type Disk, exists, makeFolder } from './disk.ts';
import type { FilePlace, FileStore } from './file-store.ts';
import { MARKER, type MarkerPlace } from './marker.ts';
import { incomingPath } from './storage.ts';

/** Concurrent requests of one call of the store. */
const AT_ONCE = 8;

/** Files older than this are named by no change in flight. Milliseconds. */
const SETTLED_AFTER = 24 * 60 * 60 * 1000;

/** Names of this store's own files. Others in the bucket are left alone. */
const OWN_NAMES = /^(\.sizes\/\d+\/)?[0-9a-f]{40}\.\w+(\.\w+)?$/;

/** The metadata key of a file's hash, written on upload. */
const HASH = 'sha256';

/**
 * Stores files in a bucket of an object storage (S3). Each server downloads what it serves to its own disk, once. Checks the
 * bucket first. Throws a readable error if it is unusable.
 */
export async function openBucket(address: string, limits = LIMITS): Promise<(place: FilePlace) => FileStore> {
  const bucket = clientOf(bucketAt(address), limits);
  await looked(bucket, 'UPLOADS_URL', limits.firstLook);
  return (place) => filesInBucket(bucket, place);
}

function filesInBucket(bucket: Bucket, place: FilePlace): FileStore {
  const fetching = new Map<string, Promise<void>>();
  return {
    keep: (names) => inTurns(names, (name) => put(bucket, place, name)),
    share: (name) => put(bucket, place, name),
    has: async (name) => (await exists(join(place.folder, name))) || (await isKept(bucket, name)),
    keeps: (name) => isKept(bucket, name),
    async fetch(name) {
      if (await exists(join(place.folder, name))) return;
      const running = fetching.get(name) ?? fetchOne(bucket, place, name).finally(() => fetching.delete(name));
      fetching.set(name, running);
      await running;
    },
    async list(folder) {
      const names = await namesUnder(bucket, `${folder}/`);
      return names.map((name) => name.slice(folder.length + 1));
    },
    remove: (names) => inTurns(names, (name) => removeOne(bucket, name)),
    async settled() {
      const names = await namesUnder(bucket, '', Date.now() - SETTLED_AFTER);
      return names.filter((name) => OWN_NAMES.test(name));
    },
    marker: markerOf(bucket),
  };
}

function markerOf(bucket: Bucket): MarkerPlace {
  return {
    name: `The folder ${bucket.prefix || '/'} of the bucket ${bucket.bucket}`,
    async read() {
      const found = await bucket.client.send(new GetObjectCommand(keyOf(bucket, MARKER))).catch(asMissing);
      return found?.Body && text(arriving(found.Body as Readable));
    },
    async write(marker) {
      const ChecksumSHA256 = createHash('sha256').update(marker).digest('base64');
      const command = new PutObjectCommand({ ...keyOf(bucket, MARKER), Body: marker, ChecksumSHA256 });
      await bucket.client.send(command).catch(asAway);
    },
  };
}

async function inTurns(names: readonly string[], task: (name: string) => Promise<void>): Promise<void> {
  for (let at = 0; at < names.length; at += AT_ONCE) await Promise.all(names.slice(at, at + AT_ONCE).map(task));
}

/**
 * Uploads a file. Reads it twice, so that the hash is sent first and the storage verifies what arrives. Never holds all of
 * it in memory.
 */
async function put(bucket: Bucket, { folder }: FilePlace, name: string): Promise<void> {
  const path = join(folder, name);
  const { size, hash } = await measured(path);
  // Opened first: a stream that fails to open before it is read would end the server.
  const body = (await open(path)).createReadStream();
  const sending = new AbortController();
  // the client neither listens to the stream nor closes it
  body.once('error', () => sending.abort());
  const command = new PutObjectCommand({
    ...keyOf(bucket, name),
    Body: body,
    ContentLength: size,
    ChecksumSHA256: hash.toString('base64'),
    Metadata: { [HASH]: hash.toString('hex') },
  });
  await bucket.client
    .send(command, { abortSignal: sending.signal })
    .catch((error: unknown) => {
      throw body.errored ?? asAway(error);
    })
    .finally(() => body.destroy());
}

async function isKept(bucket: Bucket, name: string): Promise<boolean> {
  const head = bucket.client.send(new HeadObjectCommand(keyOf(bucket, name)));
  return (await head.catch(asMissing)) !== undefined;
}

async function removeOne(bucket: Bucket, name: string): Promise<void> {
  await bucket.client.send(new DeleteObjectCommand(keyOf(bucket, name))).catch(asAway);
}

/** Downloads a file. It gets its name only once every byte has arrived and matches. Throws if it is damaged. */
async function fetchOne(bucket: Bucket, place: FilePlace, name: string): Promise<void> {
  const found = await bucket.client.send(new GetObjectCommand(keyOf(bucket, name))).catch(asMissing);
  if (found?.Body === undefined) return;
  const passing = incomingPath(place);
  const path = join(place.folder, name);
  try {
    const hash = await written(place.disk, passing, found.Body as Readable);
    if (hash !== found.Metadata?.[HASH]) throw new Error(`The stored file ${name} is damaged.`);
    await makeFolder(dirname(path));
    await place.disk.rename(passing, path);
  } catch (error) {
    await place.disk.remove(passing);
    throw error;
  }
}

/** Writes a stream to a new file. Returns its hash. */
async function written(disk: Disk, path: string, body: Readable): Promise<string> {
  const hash = createHash('sha256');
  const file = await disk.create(path);
  try {
    for await (const bytes of arriving(body)) {
      hash.update(bytes);
      await file.write(bytes);
    }
    await file.flush();
  } finally {
    await file.close();
  }
  return hash.digest('hex');
}

/** Names of stored files with a prefix, written before a time (epoch milliseconds) if given. */
async function namesUnder({ client, bucket, prefix }: Bucket, part: string, before = Infinity): Promise<string[]> {
  const names: string[] = [];
  try {
    for await (const page of paginateListObjectsV2({ client }, { Bucket: bucket, Prefix: `${prefix}${part}` })) {
      for (const { Key = '', LastModified } of page.Contents ?? [])
        if ((LastModified?.getTime() ?? 0) < before) names.push(Key.slice(prefix.length));
    }
  } catch (error) {
    asAway(error);
  }
  return names;
}
