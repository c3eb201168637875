import { statusOf } from '../../domain/outbox/status.ts';
import { useEffect, useState } from 'react';
import { outbox } from '../../api/outbox.ts';
import { refusalErrors } from '../../domain/outbox/refusal-errors.ts';
import type { RecordView } from '../../domain/outbox/optimistic-view.ts';
import type { CreateChange, OutboxEntry, UpdateChange } from '../../domain/outbox/vocabulary.ts';
import type { FieldErrors } from '../../domain/validate.ts';
import type { FormFile } from '../../fields/form-file.ts';
import type { FormContent } from '../form/content.ts';

/** A refused change reopened in the form: its values, files and the server's errors. */
export interface Refused {
  readonly entryId: string;
  readonly change: RefusedChange;
  readonly content: FormContent;
  readonly errors: FieldErrors;
  readonly message: string;
  /** When it was last saved, in epoch milliseconds. Attempts say nothing about the age of its texts. */
  readonly savedAt: number;
  /** When it was last attempted, or saved if it never was. Epoch milliseconds. */
  readonly attemptedAt: number;
  /** Names of files that were lost or damaged on this device. */
  readonly lost: readonly string[];
}

/** The record's refused change: `undefined` while loading, `null` if there is none. */
export function useRefused(view: RecordView | undefined): Refused | null | undefined {
  const entry = view?.entries.find(isRefused);
  const [found, setFound] = useState<Refused>();
  useEffect(() => {
    if (entry === undefined) return undefined;
    let wanted = true;
    void reopen(entry).then((refused) => wanted && setFound(refused));
    return () => {
      wanted = false;
    };
  }, [entry]);
  if (view === undefined) return undefined;
  if (entry === undefined) return null;
  return found?.entryId === entry.id ? found : undefined;
}

type RefusedChange = CreateChange | UpdateChange;
type RefusedEntry = OutboxEntry & { readonly change: RefusedChange };

function isRefused(entry: OutboxEntry): entry is RefusedEntry {
  return statusOf(entry) === 'refused' && 'values' in entry.change;
}

async function reopen(entry: RefusedEntry): Promise<Refused> {
  const { change, reason, id, createdAt, savedAt = createdAt, lastAttemptAt = savedAt } = entry;
  const files: FormFile[] = [];
  const lost: string[] = [];
  for (const reference of change.files) {
    try {
      const { id: key, field, name, type, sha256 } = reference;
      files.push({ key, field, name, type, sha256, blob: await outbox.file(reference) });
    } catch {
      lost.push(reference.name);
    }
  }
  const content = { values: change.values, files };
  return {
    entryId: id,
    change,
    content,
    errors: refusalErrors(entry),
    message: reason?.message ?? '',
    savedAt,
    attemptedAt: lastAttemptAt,
    lost,
  };
}
