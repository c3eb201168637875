import { createHash } from 'node:crypto';
import type { AnyResourceName } from '../../../src/domain/resource.ts';
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

/** Reads a delivery as a change; undefined for anything else. Real work. */
export async function arrivalOf(delivery: Delivery): Promise<Arrival | undefined> {
  const { request, answer, at, from, repeated } = delivery;
  const target = targetOf(request);
  if (target === undefined) return undefined;
  const answered = answer.status === 200 ? (JSON.parse(Buffer.from(answer.body).toString()) as { id?: number }) : {};
  const { values, files } = await contentOf(request);
  return {
    at,
    from,
    token: (request.headers.get('authorization') ?? '').replace('Bearer ', ''),
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

async function contentOf({ headers, body }: WireRequest) {
  const values: Record<string, string> = {};
  const files: ReceivedFile[] = [];
  const type = headers.get('content-type') ?? '';
  if (body === undefined || !type.startsWith('multipart/')) return { values, files };
  const form = await new Response(body, { headers: { 'content-type': type } }).formData();
  for (const [name, value] of form) {
    if (typeof value === 'string') values[name] = value.replaceAll('\r\n', '\n');
    else {
      const bytes = Buffer.from(await value.arrayBuffer());
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      files.push({ field: name.replace('[]', ''), sha256, size: bytes.length });
    }
  }
  return { values, files };
}
