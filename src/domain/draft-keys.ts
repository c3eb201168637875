import type { RecordId } from './outbox/vocabulary.ts';
import { type AnyResource, isSingle, type Resource } from './resource.ts';

/** Under which key an administrator's unsaved new record of a kind is kept. Nobody else's form looks there. */
export function newDraftKey(administrator: string, { name }: Resource): string {
  return `${administrator}/${name}/new`;
}

/** Under which key an administrator's unsaved edit of a record is kept. */
export function recordDraftKey(administrator: string, resource: AnyResource, id: RecordId): string {
  return isSingle(resource) ? `${administrator}/${resource.name}` : `${administrator}/${resource.name}/${id}`;
}
