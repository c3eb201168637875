import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/**
 * Faults of an object storage, for all requests from now on: it refuses them, hangs up on their heads, never answers, ends
 * answers half-way, or returns other bytes.
 */
export type StorageFault = 'refuse' | 'hang-up' | 'stall' | 'cut' | 'damage' | undefined;

interface StoredObject {
  readonly bytes: Buffer;
  readonly metadata: Readonly<Record<string, string>>;
  at: Date;
}

export const STORAGE_KEY = 'the-key-of-the-test';
const BUCKET = 'uploads';
/** The prefix that the key may read and write, as in a bucket shared with others. */
const FOLDER = 'site/';
/** Small, so that lists span several pages. */
const PAGE = 3;

/**
 * An object storage that implements the part of S3 that the server uses, over real HTTP. It verifies keys and hashes as
 * real ones do.
 */
export class ObjectStorage {
  /** By key. */
  readonly objects = new Map<string, StoredObject>();
  /** The parts of unfinished uploads, by upload and number. */
  readonly parts = new Map<string, Map<number, Buffer>>();
  /** How many of the next parts it refuses. */
  failingParts = 0;
  fault: StorageFault;
  /** The status and code with which it refuses everything, if set. */
  refusal: readonly [number, string] | undefined;
  /** Called before each answer. */
  onRequest: (() => void) | undefined;
  /** The region that the last request was signed for. */
  region = '';
  readonly #server = createServer((request, response) => void this.#answer(request, response));

  static async start(): Promise<ObjectStorage> {
    const storage = new ObjectStorage();
    await new Promise<void>((resolve) => storage.#server.listen(0, '127.0.0.1', resolve));
    return storage;
  }

  /** An address for UPLOADS_URL. */
  address(folder = 'site', bucket = BUCKET): string {
    const { port } = this.#server.address() as AddressInfo;
    return `s3://${bucket}/${folder}?endpoint=http://127.0.0.1:${port}`;
  }

  /** Forgets what it holds, and the faults it was given. */
  reset(): void {
    this.objects.clear();
    this.parts.clear();
    this.failingParts = 0;
    this.fault = undefined;
    this.refusal = undefined;
    this.onRequest = undefined;
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (this.fault === 'hang-up') return void request.socket.destroy();
    const body = await buffer(request).catch(() => Buffer.alloc(0));
    if (this.fault === 'stall') return;
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://storage.test');
    const [, bucket = '', key = ''] = /^\/([^/]+)\/?(.*)$/.exec(decodeURIComponent(pathname)) ?? [];
    this.region = /Credential=[^/]+\/\d+\/([^/]+)\//.exec(String(request.headers.authorization))?.[1] ?? '';
    this.onRequest?.();
    if (this.refusal !== undefined) return problem(response, ...this.refusal);
    if (this.fault === 'refuse') return problem(response, 503, 'SlowDown');
    if (!String(request.headers.authorization).includes(`Credential=${STORAGE_KEY}/`))
      return problem(response, 403, 'InvalidAccessKeyId');
    if (bucket !== BUCKET) return problem(response, 404, 'NoSuchBucket');
    if (!(searchParams.get('prefix') ?? key).startsWith(FOLDER)) return problem(response, 403, 'AccessDenied');
    const upload = searchParams.get('uploadId') ?? '';
    if (searchParams.has('uploads')) return this.#begin(key, response);
    if (upload !== '' && !this.parts.has(upload)) return problem(response, 404, 'NoSuchUpload');
    if (upload !== '' && request.method === 'DELETE') return this.#abort(upload, response);
    if (upload !== '' && request.method === 'PUT')
      return this.#putPart(upload, Number(searchParams.get('partNumber')), body, response);
    if (upload !== '') return this.#complete(upload, key, response);
    if (request.method === 'PUT') return this.#put(key, body, request, response);
    if (request.method === 'DELETE') return this.#remove(key, response);
    return searchParams.has('list-type') ? this.#list(searchParams, response) : this.#get(key, request, response);
  }

  #put(key: string, bytes: Buffer, { headers }: IncomingMessage, response: ServerResponse): void {
    const hash = createHash('sha256').update(bytes).digest('base64');
    // a hash that was sent is checked
    const sent = headers['x-amz-checksum-sha256'];
    if (sent !== undefined && sent !== hash) return problem(response, 400, 'BadDigest');
    const metadata = Object.entries(headers).filter(([name]) => name.startsWith('x-amz-meta-'));
    this.objects.set(key, { bytes, metadata: Object.fromEntries(metadata) as Record<string, string>, at: new Date() });
    response.writeHead(200, { ETag: '"etag"' }).end();
  }

  #begin(key: string, response: ServerResponse): void {
    const upload = `upload-${this.parts.size + 1}`;
    this.parts.set(upload, new Map());
    answer(
      response,
      `<InitiateMultipartUploadResult><Key>${key}</Key><UploadId>${upload}</UploadId></InitiateMultipartUploadResult>`,
    );
  }

  #putPart(upload: string, number: number, bytes: Buffer, response: ServerResponse): void {
    if (this.failingParts > 0) {
      this.failingParts -= 1;
      return problem(response, 503, 'SlowDown');
    }
    this.parts.get(upload)?.set(number, bytes);
    response.writeHead(200, { ETag: `"part-${number}"` }).end();
  }

  #complete(upload: string, key: string, response: ServerResponse): void {
    const parts = [...(this.parts.get(upload) ?? [])].toSorted(([one], [other]) => one - other);
    this.parts.delete(upload);
    this.objects.set(key, { bytes: Buffer.concat(parts.map(([, bytes]) => bytes)), metadata: {}, at: new Date() });
    answer(response, `<CompleteMultipartUploadResult><Key>${key}</Key></CompleteMultipartUploadResult>`);
  }

  #abort(upload: string, response: ServerResponse): void {
    this.parts.delete(upload);
    response.writeHead(204).end();
  }

  #remove(key: string, response: ServerResponse): void {
    this.objects.delete(key);
    response.writeHead(204).end();
  }

  #get(key: string, { method }: IncomingMessage, response: ServerResponse): void {
    const found = this.objects.get(key);
    if (found === undefined) return problem(response, 404, 'NoSuchKey');
    const bytes = this.fault === 'damage' ? Buffer.alloc(found.bytes.length) : found.bytes;
    response.writeHead(200, { ...found.metadata, 'Content-Length': bytes.length });
    if (method === 'HEAD') response.end();
    else if (this.fault === 'cut') response.write(bytes.subarray(0, bytes.length / 2), () => response.destroy());
    else response.end(bytes);
  }

  #list(asked: URLSearchParams, response: ServerResponse): void {
    const [prefix, after] = [asked.get('prefix') ?? '', asked.get('continuation-token') ?? ''];
    const keys = [...this.objects.keys()].filter((key) => key.startsWith(prefix) && key > after).toSorted();
    const page = keys.slice(0, PAGE);
    const more = keys.length > PAGE ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : '';
    const contents = page.map(
      (key) =>
        `<Contents><Key>${key}</Key><LastModified>${this.objects.get(key)?.at.toISOString()}</LastModified><Size>${this.objects.get(key)?.bytes.length}</Size></Contents>`,
    );
    response
      .writeHead(200, { 'Content-Type': 'application/xml' })
      .end(
        `<ListBucketResult><IsTruncated>${keys.length > PAGE}</IsTruncated>${more}${contents.join('')}</ListBucketResult>`,
      );
  }
}

function answer(response: ServerResponse, xml: string): void {
  response.writeHead(200, { 'Content-Type': 'application/xml' }).end(xml);
}

function problem(response: ServerResponse, status: number, code: string): void {
  response
    .writeHead(status, { 'Content-Type': 'application/xml' })
    .end(`<Error><Code>${code}</Code><Message>${code}</Message></Error>`);
}
