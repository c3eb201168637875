import { type InjectOptions, type LightMyRequestResponse } from 'fastify';
import { PIECE_TYPE, STAGING_PATH, TUS_VERSION, STAGED_FILES } from '../../src/domain/protocol/staging.ts';
import { pdf, sha256, valuesFor } from './samples.ts';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { generators } from '../../src/domain/resources/generators.ts';
import { type Client, formOf, withKey } from './harness.ts';

/** Sends requests in its own session. */
interface Sender {
  readonly send: (options: InjectOptions) => Promise<LightMyRequestResponse>;
}

type Bytes = Uint8Array<ArrayBuffer>;

const TUS = { 'tus-resumable': TUS_VERSION };
const PIECE = { 'content-type': PIECE_TYPE };

/** A PDF of this many bytes. */
export function bigPdf(size: number, mark = 'catalogue'): Bytes {
  const bytes = Buffer.alloc(size, `${mark} `);
  bytes.set(pdf(mark));
  return new Uint8Array(bytes);
}

export function uploadOf(bytes: Bytes): string {
  return `${STAGING_PATH}/${sha256(bytes)}`;
}

export function metadataOf(hash: string): string {
  return `sha256 ${Buffer.from(hash).toString('base64')}`;
}

/** Creates an upload, optionally with a first piece. */
export function begin({ send }: Sender, bytes: Bytes, piece?: Bytes): Promise<LightMyRequestResponse> {
  const upload = { 'upload-length': String(bytes.length), 'upload-metadata': metadataOf(sha256(bytes)) };
  const [payload, type] = piece === undefined ? [{}, {}] : [{ payload: Buffer.from(piece) }, PIECE];
  return send({ method: 'POST', url: STAGING_PATH, headers: { ...TUS, ...upload, ...type }, ...payload });
}

/** Sends the rest from an offset, or a piece of `size` bytes. */
export function sendPiece(
  { send }: Sender,
  bytes: Bytes,
  offset: number,
  size = bytes.length,
): Promise<LightMyRequestResponse> {
  const payload = Buffer.from(bytes.subarray(offset, offset + size));
  const headers = { ...TUS, ...PIECE, 'upload-offset': String(offset) };
  return send({ method: 'PATCH', url: uploadOf(bytes), headers, payload });
}

/** The received bytes of an upload. Undefined if the server does not know it. */
export async function offsetOf({ send }: Sender, bytes: Bytes): Promise<number | undefined> {
  const answer = await send({ method: 'HEAD', url: uploadOf(bytes), headers: TUS });
  return answer.statusCode === 404 ? undefined : Number(answer.headers['upload-offset']);
}

/** Uploads a whole file. */
export async function stage(sender: Sender, bytes: Bytes): Promise<LightMyRequestResponse> {
  const begun = await begin(sender, bytes);
  const offset = Number(begun.headers['upload-offset']);
  return offset === bytes.length ? begun : sendPiece(sender, bytes, offset);
}

/** The reference to a staged file in a change. */
export function named(field: string, bytes: Bytes, name = 'file', place?: number) {
  return { field, sha256: sha256(bytes), name, type: '', ...(place === undefined ? {} : { place }) };
}

/** Creates a generator whose files are staged. */
export async function createWith(admin: Client, files: readonly object[], key = withKey(), mark = 'one') {
  const values = { ...valuesFor(generators.fields, mark), [STAGED_FILES]: JSON.stringify(files) };
  return admin.post(generators.endpoints.create, formOf(values), key);
}

export async function stagedFiles(dataDir: string): Promise<string[]> {
  const entries = await readdir(join(dataDir, 'staging'), { recursive: true, withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}
