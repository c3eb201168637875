import type { Readable } from 'node:stream';
import { paginateListObjectsV2, S3Client } from '@aws-sdk/client-s3';
import type { BucketAddress } from './bucket-address.ts';

/** How long a connection may take to open, and how long nothing may arrive or leave on it. Milliseconds. */
export interface Limits {
  readonly connectionTimeout: number;
  readonly socketTimeout: number;
  /** How long the first look may take. A start does not wait for a storage that stalls. */
  readonly firstLook?: number;
}

export const LIMITS: Limits = { connectionTimeout: 5_000, socketTimeout: 60_000 };

/** The object storage is unreachable or denies access. */
class FilesAway extends Error {
  readonly code = 'FILES_AWAY';
}

const silent = () => undefined;

/** A part of a bucket, and the client that speaks to it. */
export interface Bucket extends BucketAddress {
  readonly client: S3Client;
}

/** Creates the client. Credentials come from the environment or from the machine's role. */
export function clientOf(address: BucketAddress, limits: Limits): Bucket {
  const { endpoint, region = process.env['AWS_REGION'] ?? 'us-east-1' } = address;
  const client = new S3Client({
    region,
    // other storages seldom have a host name per bucket, and do not always support the newer checksums
    ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: limits,
    // failures are reported by the caller
    logger: { trace: silent, debug: silent, info: silent, warn: silent, error: silent },
  });
  return { ...address, client };
}

/** An object of the bucket, by its name in the folder. */
export const keyOf = ({ bucket, prefix }: Bucket, name: string) => ({ Bucket: bucket, Key: `${prefix}${name}` });

/** Attributes a broken connection to the storage, not the disk. */
export async function* arriving(body: Readable): AsyncGenerator<Buffer> {
  try {
    for await (const bytes of body as AsyncIterable<Buffer>) yield bytes;
  } catch (error) {
    asAway(error);
  }
}

/** Readable texts for the storage's error names. */
const WORDS: Readonly<Record<string, string>> = {
  NoSuchBucket: 'there is no bucket of this name',
  AccessDenied: 'its key may not read this bucket',
  InvalidAccessKeyId: 'it does not know the key in AWS_ACCESS_KEY_ID',
  SignatureDoesNotMatch: 'the secret in AWS_SECRET_ACCESS_KEY is not that of its key',
  CredentialsProviderError: 'there are no keys: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY',
  PermanentRedirect: 'the bucket is in another region: add ?region= to the address',
};

/** How long a start waits for the storage. Milliseconds. */
const LOOKED_WITHIN = 10_000;

/** Looks at a bucket, which a setting names. Throws a readable error if it is unusable. */
export async function looked(
  bucket: Bucket,
  setting: 'UPLOADS_URL' | 'BACKUP_URL',
  within = LOOKED_WITHIN,
): Promise<void> {
  const first = paginateListObjectsV2(
    { client: bucket.client, pageSize: 1 },
    { Bucket: bucket.bucket, Prefix: bucket.prefix },
    { abortSignal: AbortSignal.timeout(within) },
  );
  await first.next().catch((cause: Error) => {
    const isSilent = cause.name === 'AbortError' || cause.name === 'TimeoutError';
    const why = isSilent
      ? 'it does not answer'
      : (WORDS[cause.name] ?? `it cannot be reached (${cause.message || cause.name})`);
    throw new Error(`The bucket ${bucket.bucket} of ${setting} cannot be used: ${why}.`, { cause });
  });
}

/** Undefined for an object that is not there. Throws FilesAway otherwise. */
export function asMissing(error: Error): undefined {
  if (error.name === 'NoSuchKey' || error.name === 'NotFound') return undefined;
  return asAway(error);
}

/** Throws FilesAway, with the storage's own error as the cause. */
export function asAway(cause: unknown): never {
  throw new FilesAway('The storage of files cannot be used.', { cause });
}
