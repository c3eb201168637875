/** The part of an object storage that holds uploads. */
export interface BucketAddress {
  readonly bucket: string;
  /** Prefix of every key; empty, or ending with a slash. */
  readonly prefix: string;
  /** Undefined for Amazon's own storage. */
  readonly endpoint: string | undefined;
  readonly region: string | undefined;
}

const SHAPE = 's3://bucket/folder?endpoint=https://storage.example.com&region=eu-1';

/** A readable problem with the address of a bucket, or undefined. */
export function bucketProblem(text: string): string | undefined {
  const address = URL.parse(text);
  if (address?.protocol !== 's3:' || address.hostname === '') return `"${text}" is not an address as ${SHAPE}.`;
  if (address.username !== '' || address.password !== '')
    return 'keys stand in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, not in the address.';
  const endpoint = address.searchParams.get('endpoint');
  if (endpoint !== null && !/^https?:\/\/[^/]/.test(endpoint))
    return `endpoint "${endpoint}" is not an address with http:// or https://.`;
  return undefined;
}

/** Parses a valid bucket address. */
export function bucketAt(text: string): BucketAddress {
  const { hostname, pathname, searchParams } = new URL(text);
  const folder = decodeURIComponent(pathname).replaceAll(/^\/+|\/+$/g, '');
  return {
    bucket: hostname,
    prefix: folder === '' ? '' : `${folder}/`,
    endpoint: searchParams.get('endpoint') ?? undefined,
    region: searchParams.get('region') ?? undefined,
  };
}

/** The address of a bucket for people, without how it is reached. */
export function bucketName({ bucket, prefix }: Pick<BucketAddress, 'bucket' | 'prefix'>): string {
  return `s3://${bucket}/${prefix}`;
}
