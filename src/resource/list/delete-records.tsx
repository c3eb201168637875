import type { ReactNode } from 'react';
import { outbox } from '../../api/outbox.ts';
import { DELETE_QUESTION } from '../../domain/messages.ts';
import type { PendingRow } from '../../domain/outbox/optimistic-view.ts';
import { type Base, isLocalId, type OutboxEntry } from '../../domain/outbox/vocabulary.ts';
import type { Resource } from '../../domain/resource.ts';
import type { YesOrNo } from '../../ui/confirm.tsx';
import { useServerAbilities } from '../../stores/server-abilities.ts';
import { dismiss, notify } from '../../stores/notifications.ts';
import { RecordPicture } from '../record-picture.tsx';
import { tellOutcome } from '../tell-outcome.ts';
import { enqueueAll, followed, told } from '../told.ts';
import { msg, say, sayOf, t } from '../../language/t.ts';
import { sayTitle } from '../say-title.ts';
import { countOf } from './count-of.ts';
import { seenOf } from './seen-of.ts';
import './delete-subject.css';

export { undoDeletion } from '../undo-deletion.ts';

/** How long a deletion stays on the device for Undo. Milliseconds. */
const UNDO_FOR = 6000;
/** How long to wait for the outcome: the undo time plus the usual time for an answer. Milliseconds. */
const FOLLOW_FOR = UNDO_FOR + 4000;

const NOT_TAKEN_BACK = msg('Not all deletions were undone.');

/**
 * Stores the deletions of records, and offers Undo until they are sent. Resolves to true if all were stored. `shown` is what
 * the user sees of a single record. Of a list, it is what its rows show.
 */
export async function deleteRecords(
  resource: Resource,
  rows: readonly PendingRow[],
  administrator: string,
  shown?: Base,
): Promise<boolean> {
  const bases = shown === undefined ? await seenOf(resource, rows) : [shown];
  const entries = await enqueueAll(rows.map((row, place) => deletionOf(resource, row, bases[place], administrator)));
  if (entries.length === 0) return false;
  const undo = () => void takeBack(entries);
  const toast = notify(announcement(resource, entries), { kind: 'info', action: { label: t('Undo'), run: undo } });
  void tellWhenSent(resource, entries, toast);
  return entries.length === rows.length;
}

/** Most records that are named before their deletion. */
const NAMED = 3;

/** The question before a deletion: what is deleted, and where it goes. */
export function questionFor(resource: Resource, rows: readonly PendingRow[]): YesOrNo {
  const title =
    rows.length === 1
      ? sayOf(DELETE_QUESTION, resource.label.deleteAs)
      : t('Are you sure? You want to delete these {what}?', { what: countOf(resource, rows.length) });
  const subject = subjectOf(resource, rows);
  return { title, subject, ...consequenceOf(rows), confirmLabel: t('Delete'), destructive: true };
}

/** What is about to be deleted: one record with its picture, or the first of several by name. */
function subjectOf(resource: Resource, rows: readonly PendingRow[]): ReactNode {
  const names = rows.map((row) => sayTitle(resource, { ...row, id: row.recordId }));
  const [row] = rows;
  if (row !== undefined && rows.length === 1) {
    return (
      <div className="delete-subject">
        {!Number.isNaN(Number(row.recordId)) && (
          <RecordPicture resource={resource} id={Number(row.recordId)} className="row-photo" />
        )}
        <strong>{names[0]}</strong>
      </div>
    );
  }
  return (
    <ul className="delete-subjects">
      {names.slice(0, NAMED).map((name, place) => (
        <li key={rows[place]?.recordId}>{name}</li>
      ))}
      {names.length > NAMED && <li>{t('and {count} more', { count: names.length - NAMED })}</li>}
    </ul>
  );
}

/** Where deleted records go. Nothing to say of a server that keeps none, and of records that never reached it. */
function consequenceOf(rows: readonly PendingRow[]): Pick<YesOrNo, 'text'> {
  const { trash } = useServerAbilities.getState();
  const count = rows.filter(({ recordId }) => !isLocalId(String(recordId))).length;
  if (trash === undefined || count === 0) return {};
  return {
    text: t(
      '{count, plural, one {It stays} other {They stay}} in the trash for {days, plural, one {# day} other {# days}} and can be restored from there.',
      { count, days: trash.days },
    ),
  };
}

function deletionOf(resource: Resource, row: PendingRow, base: Base | undefined, administrator: string) {
  const title = sayTitle(resource, { ...row, id: row.recordId });
  const draft = { op: 'delete', resource: resource.name, recordId: row.recordId, ...(base && { base }) } as const;
  return { draft, about: { administrator, title, undoFor: UNDO_FOR } };
}

async function takeBack(entries: readonly OutboxEntry[]): Promise<void> {
  const undone = await told(Promise.all(entries.map((entry) => outbox.undo(entry.id))), say(NOT_TAKEN_BACK));
  if (undone === undefined) return;
  const late = undone.filter((done) => !done).length;
  if (late > 0)
    notify(t('{late} of {count} had already been sent.', { late, count: entries.length }), { kind: 'info' });
}

async function tellWhenSent(resource: Resource, entries: readonly OutboxEntry[], toast: number): Promise<void> {
  const ends = (await Promise.all(entries.map(endOf))).filter((entry) => entry !== undefined);
  for (const entry of ends) if (entry.state === 'done') void forgetTyped(resource, entry);
  // Undone in the row or in the outbox: the offer of an Undo would be a lie.
  if (ends.length === 0) return dismiss(toast);
  const [first] = ends;
  if (first !== undefined && ends.length === 1) return tellOutcome(first);
  const done = ends.filter((entry) => entry.state === 'done').length;
  if (done > 0) notify(t('{what} deleted', { what: countOf(resource, done) }), { kind: 'success', changes: done });
  const stopped = ends.filter(({ state }) => state === 'attention').length;
  if (stopped > 0)
    notify(t('{stopped} of {count} couldn’t be deleted. See the Outbox.', { stopped, count: entries.length }), {
      kind: 'error',
    });
}

/** Removes what was typed into a record that is deleted for good. Until then, an Undo finds it again. */
async function forgetTyped(resource: Resource, { administrator, change }: OutboxEntry): Promise<void> {
  const { forgetRecordDraft } = await import('../form/use-draft.ts');
  forgetRecordDraft(administrator, resource, change.recordId);
}

/** The entry of a deletion after its outcome was awaited. Undefined if it was undone. */
async function endOf(entry: OutboxEntry): Promise<OutboxEntry | undefined> {
  await followed(entry, FOLLOW_FOR);
  return outbox.entry(entry.id);
}

function announcement(resource: Resource, entries: readonly OutboxEntry[]): string {
  const [first] = entries;
  return entries.length === 1 && first !== undefined
    ? t('“{title}” will be deleted', { title: first.title })
    : t('{what} will be deleted', { what: countOf(resource, entries.length) });
}
