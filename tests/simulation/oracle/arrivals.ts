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

/** A change that reached the server whole, and what it carried. */
export interface Arrival {
  readonly at: number;
  readonly from: string;
  readonly token: string;
  readonly key: string;
  readonly op: Operation;
  readonly resource: AnyResourceName | undefined;
  /** The server's id, of a create as far as it was answered. */
  readonly id: number | undefined;
  readonly values: Readonly<Record<string, string>>;
  readonly files: readonly ReceivedFile[];
  /** Carried out now: a success that is not the stored answer to an earlier one. */
  readonly effective: boolean;
  /** The browser's own repeat of the request. */
  readonly repeated: boolean;
}

/** Reads a delivery as the changes that it brought: one, those of a batch, or none. Real work. */
export async function arrivalsOf(delivery: Delivery): Promise<readonly Arrival[]> {
  if (isBatch(delivery.request)) return batchOf(delivery);
  const arrival = await arrivalOf(delivery);
  return arrival === undefined ? [] : [arrival];
}

/** True for a request that brings several changes. */
export function isBatch({ method, path }: Pick<WireRequest, 'method' | 'path'>): boolean {
  return method === 'POST' && path === CHANGES_PATH;
}

/** The SHA-256 of the file that a request begins or goes on to stage; undefined for any other request. */
export function stagedBy(path: string, headers: Headers): string | undefined {
  if (path === STAGING_PATH) return atob(headers.get('upload-metadata')?.replace('sha256 ', '') ?? '');
  return path.startsWith(`${STAGING_PATH}/`) ? path.slice(STAGING_PATH.length + 1) : undefined;
}

/** The changes of a batch as it goes out. */
export function changesIn(body: RequestInit['body']): readonly BatchedChange[] {
  const text = body instanceof FormData ? body.get(BATCH_TEXT) : body;
  if (typeof text !== 'string') return [];
  const told = JSON.parse(text) as readonly BatchedChange[] | { readonly changes: readonly BatchedChange[] };
  return 'changes' in told ? told.changes : told;
}

/** The answers to the changes of a batch, by their keys. */
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
    // a later change of the batch names a new record by its local id
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

/** Reads a delivery as a change; undefined for anything else. */
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

/** What a request asks to be changed; undefined for a read. */
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

/** The SHA-256 of the files that come along in a request, those that it only names left out. Real work. */
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
  // at the places that they have among all files of the change
  for (const { field, sha256, place = files.length } of staged) files.splice(place, 0, { field, sha256, size: 0 });
  return { values, files };
}
