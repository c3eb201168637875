import type { FormDraft } from '../../api/drafts.ts';
import { isRepeated } from '../../domain/protocol/request-limits.ts';
import { type FormContent, typedFields } from '../form/content.ts';
import type { Refused } from './use-refused.ts';

/**
 * The content of a form that opens with an unsaved draft: what was typed into the draft over `start`. Fields that the draft does not
 * know, and those that were not typed into, stay as they are. A refused change (`saved`) that was saved after the draft was stored
 * wins in the fields that it touches; typing wins in all others. Undefined if nothing of the draft is newer.
 */
export function restoredContent(start: FormContent, draft: FormDraft, saved: Refused | null): FormContent | undefined {
  const isOlder = saved !== null && draft.savedAt < newestIn(saved, draft);
  const newest = typedFields(draft).filter((name) => !isOlder || (draft.base !== undefined && !touches(saved, name)));
  const sent = saved?.content.files ?? [];
  const files = isOlder
    ? draft.files.filter(({ sha256 }) => !sent.some((file) => file.sha256 === sha256))
    : draft.files;
  if (isOlder && newest.length === 0 && files.length === 0) return undefined;
  const typed = Object.fromEntries(newest.map((name) => [name, draft.values[name] ?? '']));
  return { values: { ...start.values, ...typed }, files: withSent(files, sent, draft, saved) };
}

/** A draft of an older version of the app does not say what was typed, so any later life of the change may have included it. */
function newestIn({ savedAt, attemptedAt }: Refused, { base }: FormDraft): number {
  return base === undefined ? attemptedAt : savedAt;
}

/** A form that was opened on the refused change has its files. Any other has only those picked since. */
function withSent(
  files: FormContent['files'],
  sent: FormContent['files'],
  draft: FormDraft,
  saved: Refused | null,
): FormContent['files'] {
  if (saved === null || draft.repairing === saved.entryId) return files;
  const isReplaced = (field: string) =>
    !isRepeated(saved.change.resource, field) && files.some((file) => file.field === field);
  const kept = sent.filter(({ field }) => !isReplaced(field));
  const keys = new Set(kept.map(({ key }) => key));
  return [...kept, ...files.filter(({ key }) => !keys.has(key))];
}

function touches({ change }: Refused, name: string): boolean {
  const before = 'base' in change ? change.base.values[name] : '';
  return change.values[name] !== before;
}
