import type { RecordId } from '../../domain/outbox/vocabulary.ts';
import type { Resource } from '../../domain/resource.ts';

/** Under which key an administrator's unfinished new record of a kind is kept. */
export function newDraftKey(administrator: string, { name }: Resource): string {
  return `${administrator}/${name}/new`;
}

/** Under which key an administrator's unfinished edit of a record is kept. */
export function recordDraftKey(administrator: string, { name }: Resource, id: RecordId): string {
  return `${administrator}/${name}/${id}`;
}
