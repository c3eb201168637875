import { createHash } from 'node:crypto';
import type { AnyResourceName } from '../../../src/domain/resource.ts';
import { BATCH_TEXT, type BatchAnswer, type BatchedChange } from '../../../src/domain/protocol/batch.ts';
import { CHANGES_PATH } from '../../../src/domain/protocol/capabilities.ts';
import { type NamedFile, STAGED_FILES, STAGING_PATH } from '../../../src/domain/protocol/staging.ts';
import type { Operation } from '../../../src/domain/outbox/vocabulary.ts';
import { siteMeta } from '../../../src/domain/resources/site-meta.ts';
import { RESOURCES } from '../../../src/domain/resources/index.ts';
import type { Delivery } from '../world/network.ts';
import type { WireRequest } from '../servers/server.ts';

/** A file as the server received it. */
export interface ReceivedFile {
  readonly field: string;
  readonly sha256: string;
  readonly size: number;
}

/** A change that reached the server completely, with its contents. */
export interface Arrival {
  readonly at: number;
  readonly from: string;
  readonly token: string;
  readonly key: string;
  readonly op: Operation;
  readonly resource: AnyResourceName | undefined;
  /** The server's id. For a create, known only if it was answered. */
  readonly id: number | undefined;
  readonly values: Readonly<Record<string, string>>;
  readonly files: readonly ReceivedFile[];
  /** Executed now: a success that is not the stored answer to an earlier request. */
  readonly effective: boolean;
  /** The browser's own repeat of the request. */
  readonly repeated: boolean;
}

/** Parses the changes of a delivery: one, those of a batch, or none. Real work. */
export async function arrivalsOf(delivery: Delivery): Promise<readonly Arrival[]> {
  if (isBatch(delivery.request)) return batchOf(delivery);
  const arrival = await arrivalOf(delivery);
  return arrival === undefined ? [] : [arrival];
}

/** True for a request with several changes. */
export function isBatch({ method, path }: Pick<WireRequest, 'method' | 'path'>): boolean {
  return method === 'POST' && path === CHANGES_PATH;
}

/** The SHA-256 of the file that a request stages or continues to stage. Undefined for any other request. */
export function stagedBy(path: string, headers: Headers): string | undefined {
  if (path === STAGING_PATH) return atob(headers.get('upload-metadata')?.replace('sha256 ', '') ?? '');
  return path.startsWith(`${STAGING_PATH}/`) ? path.slice(STAGING_PATH.length + 1) : undefined;
}

/** The changes of a batch as it is sent. */
export function changesIn(body: RequestInit['body']): readonly BatchedChange[] {
  const text = body instanceof FormData ? body.get(BATCH_TEXT) : body;
  if (typeof text !== 'string') return [];
  const told = JSON.parse(text) as readonly BatchedChange[] | { readonly changes: readonly BatchedChange[] };
  return 'changes' in told ? told.changes : told;
}

/** The answers to the changes of a batch, by key. */
export function answersIn(body: Uint8Array): ReadonlyMap<string, BatchAnswer> {
  const lines = Buffer.from(body).toString().split('\n');
  const answers = lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line) as BatchAnswer);
  return new Map(answers.map((answer) => [answer.key, answer]));
}

async function batchOf({ request, answer, at, from, repeated }: Delivery): Promise<readonly Arrival[]> {
  if (answer.status !== 200) return [];
  const answers = answersIn(answer.body);
  const { headers, body } = request;
  const type = headers.get('content-type') ?? '';
  const whole = new Response(body, { headers: { 'content-type': type } });
  const changes = changesIn(type.startsWith('multipart/') ? await whole.formData() : await whole.text());
  const madeBy = (key: string) => (answers.get(key)?.body as { readonly id?: number } | undefined)?.id;
  return changes.map((change): Arrival => {
    const { key, op, resource, id, imageId, fields = {}, files = [] } = change;
    const told = answers.get(key);
    const made = madeBy(key);
    // A later change of the batch refers to a new record by its local id.
    const create = changes.find((other) => other.op === 'create' && other.resource === resource && other.id === id);
    const named = create === undefined ? Number(id) : madeBy(create.key);
    const own = resource === siteMeta.name ? siteMeta.only : (imageId ?? named);
    return {
      at,
      from,
      token: tokenOf(request),
      key,
      op,
      resource: op === 'delete-image' ? undefined : resource,
      id: op === 'create' ? made : own,
      values: fields,
      files: files.map((file) => ({ field: file.field, sha256: file.sha256, size: 0 })),
      effective: told?.status === 200 && told.replayed !== true,
      repeated,
    };
  });
}

function tokenOf({ headers }: WireRequest): string {
  return (headers.get('authorization') ?? '').replace('Bearer ', '');
}

/** Parses a delivery as a change. Undefined for anything else. */
async function arrivalOf(delivery: Delivery): Promise<Arrival | undefined> {
  const { request, answer, at, from, repeated } = delivery;
  const target = targetOf(request);
  if (target === undefined) return undefined;
  const answered = answer.status === 200 ? (JSON.parse(Buffer.from(answer.body).toString()) as { id?: number }) : {};
  const { values, files } = await contentOf(request);
  return {
    at,
    from,
    token: tokenOf(request),
    key: request.headers.get('idempotency-key') ?? '',
    op: target.op,
    resource: target.resource,
    id: target.op === 'create' ? answered.id : target.id,
    values,
    files,
    effective: answer.status === 200 && answer.headers.get('idempotent-replayed') === null,
    repeated,
  };
}

interface Target {
  readonly op: Operation;
  readonly resource?: AnyResourceName;
  readonly id?: number;
}

/** The change that a request asks for. Undefined for a read. */
export function targetOf({ method, path }: Pick<WireRequest, 'method' | 'path'>): Target | undefined {
  if (method !== 'POST') return undefined;
  if (path === siteMeta.endpoints.single) return { op: 'update', resource: siteMeta.name, id: siteMeta.only };
  const id = Number(path.slice(path.lastIndexOf('/') + 1));
  const start = path.slice(0, path.lastIndexOf('/'));
  if (start === '/api/delete-image') return { op: 'delete-image', id };
  for (const { name: resource, endpoints } of RESOURCES) {
    if (path === endpoints.create) return { op: 'create', resource };
    if (start === endpoints.single) return { op: 'update', resource, id };
    if (start === endpoints.delete) return { op: 'delete', resource, id };
  }
  return undefined;
}

/** The SHA-256 of the files inside a request, without those that it only names. Real work. */
export async function carriedBy(request: WireRequest): Promise<readonly string[]> {
  const { files } = await contentOf(request);
  return files.filter(({ size }) => size > 0).map(({ sha256 }) => sha256);
}

async function contentOf({ headers, body }: WireRequest) {
  const values: Record<string, string> = {};
  const files: ReceivedFile[] = [];
  const staged: NamedFile[] = [];
  const type = headers.get('content-type') ?? '';
  if (body === undefined || !type.startsWith('multipart/')) return { values, files };
  const form = await new Response(body, { headers: { 'content-type': type } }).formData();
  for (const [name, value] of form) {
    if (name === STAGED_FILES && typeof value === 'string') staged.push(...(JSON.parse(value) as NamedFile[]));
    else if (typeof value === 'string') values[name] = value.replaceAll('\r\n', '\n');
    else {
      const bytes = Buffer.from(await value.arrayBuffer());
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      files.push({ field: name.replace('[]', ''), sha256, size: bytes.length });
    }
  }
  // At their positions among all files of the change.
  for (const { field, sha256, place = files.length } of staged) files.splice(place, 0, { field, sha256, size: 0 });
  return { values, files };
}
