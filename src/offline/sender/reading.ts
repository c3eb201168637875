import { baseOf } from '../../domain/outbox/base.ts';
import { type Answer, classify } from '../../domain/outbox/classify.ts';
import { type Base, type Change, isLocalId, type Outcome } from '../../domain/outbox/vocabulary.ts';
import type { ListRow, Resource, ServerRecord } from '../../domain/resource.ts';
import { resourceOf } from '../../domain/resources/index.ts';
import { SITE_META } from '../../domain/site-meta.ts';
import { ask } from './http.ts';
import type { Sender } from './sender.ts';

/** What a read brought: the thing, that it is gone, or why it could not be read. */
export type Reading<T> =
  | { readonly kind: 'found'; readonly value: T }
  | { readonly kind: 'gone' }
  | { readonly kind: 'fault'; readonly outcome: Outcome };

/** What the server holds now of the record that a change is about. */
export async function readTheirs(sender: Sender, change: Exclude<Change, { op: 'create' }>): Promise<Reading<Base>> {
  if (change.op === 'save-settings') {
    return mapped(await read<ServerRecord>(sender, SITE_META.endpoint), (settings) => baseOf(SITE_META, settings));
  }
  const resource = resourceOf(change.resource);
  return mapped(await readRecord(sender, resource, change.recordId), (record) => baseOf(resource, record));
}

/** One record of the server. One that was given up before the server ever had it is gone without a question. */
export async function readRecord(
  sender: Sender,
  resource: Resource,
  id: number | string,
): Promise<Reading<ServerRecord>> {
  if (isLocalId(String(id))) return { kind: 'gone' };
  return read(sender, `${resource.endpoints.single}/${id}`);
}

/** All rows of a list. Pages are read until one brings no new id: a server that ignores `page` answers the same for ever. */
export async function readRows(sender: Sender, resource: Resource): Promise<Reading<readonly ListRow[]>> {
  const rows = new Map<number, ListRow>();
  for (let page = 1; ; page++) {
    const path = resource.paged ? `${resource.endpoints.list}?page=${page}` : resource.endpoints.list;
    const reading = await read<readonly ListRow[]>(sender, path);
    if (reading.kind !== 'found') return reading;
    if (!Array.isArray(reading.value)) return { kind: 'fault', outcome: faultOf({ kind: 'done', message: '' }) };
    const before = rows.size;
    for (const row of reading.value) rows.set(row.id, row);
    if (!resource.paged || rows.size === before) return { kind: 'found', value: [...rows.values()] };
  }
}

async function read<T>({ environment, session }: Sender, path: string): Promise<Reading<T>> {
  const answer = await ask(environment, path, session.token);
  if (answer !== undefined && isFound(answer)) return { kind: 'found', value: answer.body as T };
  if (answer?.status === 404 && answer.json) return { kind: 'gone' };
  return { kind: 'fault', outcome: faultOf(classify('update', answer)) };
}

function isFound({ status, json, redirected, body }: Answer): boolean {
  return status === 200 && json && !redirected && typeof body === 'object' && body !== null;
}

/** A read is never "done", and only the queue can be told to wait by it: what makes no sense came from someone else. */
function faultOf(outcome: Outcome): Outcome {
  const sense =
    outcome.kind !== 'done' && outcome.kind !== 'conflict' && !('scope' in outcome && outcome.scope === 'entry');
  return sense ? outcome : { kind: 'unreachable', message: 'The answer makes no sense.' };
}

function mapped<T, U>(reading: Reading<T>, map: (value: T) => U): Reading<U> {
  return reading.kind === 'found' ? { kind: 'found', value: map(reading.value) } : reading;
}
