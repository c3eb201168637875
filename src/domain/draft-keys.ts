import type { RecordId } from './outbox/vocabulary.ts';
import { type AnyResource, isSingle, type Resource } from './resource.ts';

/** The key of an administrator's unsaved new record of a kind. Other administrators' forms do not use it. */
export function newDraftKey(administrator: string, { name }: Resource): string {
  return `${administrator}/${name}/new`;
}

/** The key of an administrator's unsaved edit of a record. */
export function recordDraftKey(administrator: string, resource: AnyResource, id: RecordId): string {
  return isSingle(resource) ? `${administrator}/${resource.name}` : `${administrator}/${resource.name}/${id}`;
}
