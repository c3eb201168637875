import { outbox } from '../../api/outbox.ts';
import type { OutboxEntry } from '../../domain/outbox/vocabulary.ts';
import { type Resource, routesOf } from '../../domain/resource.ts';
import { recordDraftKey } from './draft-key.ts';
import type { FormContent } from './form-state.ts';
import { keepDraft } from './use-draft.ts';

/**
 * What was typed while a new record was being saved belongs to that record: it becomes the unfinished edit of it. Saved from
 * the form of a new record it would make a second one. Answers where the edit goes on.
 */
export async function handOver(resource: Resource, { administrator, change }: OutboxEntry, typed: FormContent) {
  const { list, edit } = routesOf(resource);
  if (!('recordId' in change)) return list;
  const known = await outbox.serverIdOf(resource.name, change.recordId).catch(() => undefined);
  const id = known === undefined ? change.recordId : String(known);
  await keepDraft(recordDraftKey(administrator, resource, id), typed);
  return edit(id);
}
