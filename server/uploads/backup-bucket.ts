import { open, stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  type CompletedPart,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  paginateListObjectsV2,
  PutObjectCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { type BackupPlace, newestFirst, OWN_NAMES, type Stored } from '../ops/backup-places.ts';
import { measuredBytes } from '../ops/measured.ts';
import { bucketAt, bucketName } from './bucket-address.ts';
import { arriving, asAway, asMissing, type Bucket, clientOf, keyOf, LIMITS, looked } from './bucket-client.ts';

/** A bucket that keeps backups. */
export interface BackupBucket extends BackupPlace {
  /**
   * Stores a file under a name and reads it back. Throws, and leaves nothing, if it cannot be stored or if other bytes come back than
   * were sent: `sha256` is that of the file, lower-case hexadecimal.
   */
  store(path: string, name: string, sha256: string): Promise<void>;
}

/**
 * Bytes sent in one request. Larger files travel in parts, of which a storage takes 10,000: more than half a terabyte. A connection
 * that breaks costs one part.
 */
const PART = 64 * 1024 * 1024;

/** Attempts for a part, and the pause before the next one. Milliseconds. */
const [ATTEMPTS, PAUSE] = [4, 5000];

/** How a file is sent. Tests make it smaller and quicker. */
const SENDING = { part: PART, pause: PAUSE };

/** Opens the bucket for backups. Throws a readable error if it is unusable. */
export async function openBackupBucket(address: string, sending = SENDING, limits = LIMITS): Promise<BackupBucket> {
  const at = bucketAt(address);
  const bucket = clientOf(at, limits);
  await looked(bucket, 'BACKUP_URL', limits.firstLook);
  const remove = async (name: string) =>
    void (await bucket.client.send(new DeleteObjectCommand(keyOf(bucket, name))).catch(asAway));
  const read = async (name: string) => {
    if (!OWN_NAMES.test(name)) return undefined;
    const found = await bucket.client.send(new GetObjectCommand(keyOf(bucket, name))).catch(asMissing);
    return found?.Body as Readable | undefined;
  };
  return {
    kind: 'bucket',
    address: bucketName(at),
    list: () => listIn(bucket),
    read,
    remove,
    async store(path, name, sha256) {
      try {
        await send(bucket, path, name, sending);
        const stored = await read(name);
        const { hash } = await measuredBytes(stored === undefined ? [] : arriving(stored));
        if (hash.toString('hex') !== sha256) throw new Error(`Other bytes came back of ${name} than were sent.`);
      } catch (error) {
        // a backup that nobody has read back must not look like one
        await remove(name).catch(() => undefined);
        throw error;
      }
    },
  };
}

async function listIn(bucket: Bucket): Promise<readonly Stored[]> {
  const found: Stored[] = [];
  const { client, prefix } = bucket;
  try {
    for await (const page of paginateListObjectsV2({ client }, { Bucket: bucket.bucket, Prefix: `${prefix}voltdesk-` }))
      for (const { Key = '', Size = 0 } of page.Contents ?? [])
        found.push({ name: Key.slice(prefix.length), size: Size });
  } catch (error) {
    asAway(error);
  }
  return newestFirst(found.filter(({ name }) => OWN_NAMES.test(name)));
}

async function send(bucket: Bucket, path: string, name: string, { part, pause }: typeof SENDING): Promise<void> {
  const { size } = await stat(path);
  const key = keyOf(bucket, name);
  if (size <= part) {
    await withPart(path, { start: 0, size, pause }, (Body, abortSignal) =>
      bucket.client.send(new PutObjectCommand({ ...key, Body, ContentLength: size }), { abortSignal }),
    );
    return;
  }
  const { UploadId } = await bucket.client.send(new CreateMultipartUploadCommand(key)).catch(asAway);
  const upload = { ...key, UploadId };
  try {
    const Parts: CompletedPart[] = [];
    for (let start = 0; start < size; start += part) {
      const PartNumber = Parts.length + 1;
      const bytes = Math.min(part, size - start);
      const { ETag } = await withPart(path, { start, size: bytes, pause }, (Body, abortSignal) =>
        bucket.client.send(new UploadPartCommand({ ...upload, PartNumber, Body, ContentLength: bytes }), {
          abortSignal,
        }),
      );
      Parts.push({ ETag, PartNumber });
    }
    await bucket.client
      .send(new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts } }))
      .catch(asAway);
  } catch (error) {
    // unfinished parts are stored, and paid for, until somebody removes them
    await bucket.client.send(new AbortMultipartUploadCommand(upload)).catch(() => undefined);
    throw error;
  }
}

interface Part {
  readonly start: number;
  /** Bytes. */
  readonly size: number;
  /** Before another attempt, in milliseconds. */
  readonly pause: number;
}

/** Sends a part of a file. The client cannot repeat a stream, so every attempt opens its own. */
async function withPart<T>(
  path: string,
  { start, size, pause }: Part,
  task: (body: Readable, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    // opened first: a stream that fails to open before it is read would end the process
    const body = (await open(path)).createReadStream({ start, end: start + size - 1 });
    const sending = new AbortController();
    // the client neither listens to the stream nor closes it
    body.once('error', () => sending.abort());
    try {
      return await task(body, sending.signal);
    } catch (error) {
      if (body.errored !== null) throw body.errored;
      if (attempt === ATTEMPTS) asAway(error);
    } finally {
      body.destroy();
    }
    await sleep(pause);
  }
}
