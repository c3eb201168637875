import type { LifeEvent } from '../../../src/domain/outbox/events.ts';
import { apply } from '../../../src/domain/outbox/lifecycle.ts';
import type { Change, FileReference, OutboxEntry } from '../../../src/domain/outbox/vocabulary.ts';
import { ENTRY_SCHEMA } from '../../../src/domain/outbox/vocabulary.ts';

/** Ten in the morning, on an arbitrary day. */
export const NOW = Date.UTC(2026, 10, 20, 10);

/** The texts of a partner. */
export function partner(name: string, link = 'https://example.com'): Record<string, string> {
  return { name, link };
}

/** A new partner. */
export function creating(recordId = 'local-1', values = partner('Acme')): Change {
  return { op: 'create', resource: 'partners', recordId, values, files: [] };
}

/** An edit of a partner from one set of texts to another. */
export function editing(
  recordId: string,
  from: Record<string, string>,
  to: Record<string, string>,
  version?: string,
): Extract<Change, { op: 'update' }> {
  const base = { values: from, imageIds: [], ...(version === undefined ? {} : { version }) };
  return { op: 'update', resource: 'partners', recordId, values: to, files: [], base };
}

/** A delete of a partner. */
export function deleting(recordId: string): Change {
  return { op: 'delete', resource: 'partners', recordId };
}

/** A file of this many bytes. */
export function fileOf(id: string, field = 'images', size = 1000): FileReference {
  return { id, field, name: `${id}.png`, type: 'image/png', size, sha256: id.padEnd(64, '0') };
}

/** Facts of an entry in any phase. */
export type MoreFacts = { readonly [F in keyof OutboxEntry]?: OutboxEntry[F] | undefined };

let places = 0;

/** A change in the queue, after the previous ones. */
export function entryOf(change: Change, more: MoreFacts = {}): OutboxEntry {
  places += 1;
  return {
    schema: ENTRY_SCHEMA,
    sequence: places,
    id: `entry-${places}`,
    administrator: '1',
    change,
    title: 'Acme',
    idempotencyKey: `key-${places}`,
    state: 'pending',
    delivery: [],
    createdAt: NOW - 60_000,
    attempts: 0,
    ...more,
  } as OutboxEntry;
}

/** The facts that an event has changed. */
export function changed(entry: OutboxEntry, event: LifeEvent): Record<string, unknown> {
  const [before, after] = [entry, apply(entry, event)] as unknown as Record<string, unknown>[];
  const names = Object.keys({ ...before, ...after });
  const different = names.filter((name) => JSON.stringify(before?.[name]) !== JSON.stringify(after?.[name]));
  return Object.fromEntries(different.map((name) => [name, after?.[name]]));
}
