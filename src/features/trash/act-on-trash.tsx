import { messageOf } from '../../api/failure.ts';
import { deleteForGood, restoreTrashed } from '../../api/trash.ts';
import type { TrashEntry } from '../../domain/protocol/trash.ts';
import { t } from '../../language/t.ts';
import { notify } from '../../stores/notifications.ts';
import { confirm, type YesOrNo } from '../../ui/confirm.tsx';
import '../../resource/list/delete-subject.css';

/** Most records that a question names. */
const NAMED = 3;

/** Restores records one after the other, and says what became of them. `onOpen` opens a single one. */
export async function restoreAll(entries: readonly TrashEntry[], onOpen: (entry: TrashEntry) => void): Promise<void> {
  const done = await eachOf(entries, (entry) => restoreTrashed(entry, crypto.randomUUID()));
  const [first] = entries;
  if (done === 0 || first === undefined) return;
  if (entries.length > 1) return void notify(restoredWords(done), { kind: 'done' });
  const action = { label: t('Open'), run: () => onOpen(first) };
  notify(t('“{title}” restored', { title: first.title }), { kind: 'done', action });
}

/** Deletes records for good after a question that names them. Resolves to false if the user declines. */
export async function deleteAllForGood(entries: readonly TrashEntry[]): Promise<boolean> {
  const [first] = entries;
  if (first === undefined || !(await confirm(questionFor(entries, first)))) return false;
  const done = await eachOf(entries, deleteForGood);
  if (done > 0) notify(deletedWords(done), { kind: 'done' });
  return true;
}

function questionFor(entries: readonly TrashEntry[], { title }: TrashEntry): YesOrNo {
  const count = entries.length;
  const text = t('Pictures and documents are deleted too. Nobody can restore them.');
  const rest = { text, confirmLabel: t('Delete for good'), destructive: true };
  if (count === 1) return { title: t('Delete “{title}” for good?', { title }), ...rest };
  return { title: t('Delete {count} records for good?', { count }), subject: <Named entries={entries} />, ...rest };
}

function Named({ entries }: { readonly entries: readonly TrashEntry[] }) {
  return (
    <ul className="delete-subjects">
      {entries.slice(0, NAMED).map((one) => (
        <li key={one.entry}>{one.title}</li>
      ))}
      {entries.length > NAMED && <li>{t('and {count} more', { count: entries.length - NAMED })}</li>}
    </ul>
  );
}

/** Does something with each record, and goes on after a failure. Returns how many succeeded. */
async function eachOf(entries: readonly TrashEntry[], act: (entry: TrashEntry) => Promise<void>): Promise<number> {
  let done = 0;
  const failures = new Set<string>();
  for (const entry of entries) {
    try {
      await act(entry);
      done += 1;
    } catch (failure) {
      failures.add(messageOf(failure));
    }
  }
  for (const words of failures) notify(words, { kind: 'error' });
  return done;
}

function restoredWords(count: number): string {
  return t('{count, plural, one {# record} other {# records}} restored', { count });
}

function deletedWords(count: number): string {
  return t('{count, plural, one {# record} other {# records}} deleted for good', { count });
}
