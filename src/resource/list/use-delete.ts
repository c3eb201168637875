import { outbox } from '../../api/outbox.ts';
import { deleteQuestion } from '../../domain/messages.ts';
import { type PendingRow, valuesOf } from '../../domain/outbox/overlay.ts';
import type { Base, OutboxEntry } from '../../domain/outbox/vocabulary.ts';
import { type Resource, textOf, titleOf } from '../../domain/resource.ts';
import { notify } from '../../stores/notifications.ts';
import { useConfirm } from '../../ui/confirm.tsx';
import { tellOutcome } from '../tell-outcome.ts';
import { useAdministrator } from '../use-administrator.ts';

/** How long a deletion stays on the device so that it can be taken back. Milliseconds. */
const UNDO_FOR = 6000;
/** How long its outcome is waited for: the time to take it back, and the usual time for an answer. */
const FOLLOW_FOR = UNDO_FOR + 4000;

/** Deletes records: asks once, whatever their number, and offers Undo until they are sent. True when it was confirmed. */
export function useDelete(resource: Resource): (rows: readonly PendingRow[]) => Promise<boolean> {
  const confirm = useConfirm();
  const administrator = useAdministrator();
  return async (rows) => {
    if (!(await confirm({ title: question(resource, rows.length), confirmLabel: 'Delete', destructive: true })))
      return false;
    const entries: OutboxEntry[] = [];
    for (const row of rows) {
      const title = titleOf(resource, { ...row, id: row.recordId });
      const draft = {
        op: 'delete',
        resource: resource.name,
        recordId: row.recordId,
        ...baseOf(resource, row),
      } as const;
      entries.push(await outbox.enqueue(draft, { administrator, title, undoFor: UNDO_FOR }));
    }
    const undo = () => void takeBack(entries);
    notify(announcement(resource, entries), { kind: 'info', action: { label: 'Undo', run: undo } });
    void tellWhenSent(resource, entries);
    return true;
  };
}

/** Takes one deletion back that was not sent yet. */
export async function undoDelete(row: PendingRow): Promise<void> {
  const undone = row.entryId !== undefined && (await outbox.undo(row.entryId));
  if (!undone) notify('It is too late: the deletion is on its way.', { kind: 'info' });
}

async function takeBack(entries: readonly OutboxEntry[]): Promise<void> {
  const undone = await Promise.all(entries.map((entry) => outbox.undo(entry.id)));
  const late = undone.filter((done) => !done).length;
  if (late > 0) notify(`${late} of ${entries.length} had been sent already.`, { kind: 'info' });
}

async function tellWhenSent(resource: Resource, entries: readonly OutboxEntry[]): Promise<void> {
  const ends = (await Promise.all(entries.map(endOf))).filter((entry) => entry !== undefined);
  const [first] = ends;
  if (first !== undefined && ends.length === 1) return tellOutcome(first);
  const done = ends.filter((entry) => entry.state === 'done').length;
  if (done > 0) notify(`${done} records (${resource.label.many}) deleted`, { kind: 'success' });
}

/** How a deletion stands after a while; undefined when it was taken back. */
async function endOf({ id }: OutboxEntry): Promise<OutboxEntry | undefined> {
  await outbox.follow(id, FOLLOW_FOR).catch(() => undefined);
  return outbox.entry(id);
}

function question(resource: Resource, count: number): string {
  if (count === 1) return deleteQuestion(resource.label.deleteAs);
  return `Are you sure? You want to delete these ${count} records (${resource.label.many})?`;
}

function announcement(resource: Resource, entries: readonly OutboxEntry[]): string {
  const [first] = entries;
  return entries.length === 1 && first !== undefined
    ? `“${first.title}” will be deleted.`
    : `${entries.length} records (${resource.label.many}) will be deleted.`;
}

/** Measured against what the list showed, where the list tells a version: what somebody else changed since is not deleted blindly. */
function baseOf(resource: Resource, row: PendingRow): { base?: Base } {
  const version = textOf(row['version']);
  return version === '' ? {} : { base: { version, values: valuesOf(resource, row), imageIds: [] } };
}
