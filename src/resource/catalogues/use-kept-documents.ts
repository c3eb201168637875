import { useMemo } from 'react';
import type { RecordView } from '../../domain/outbox/optimistic-view.ts';
import { isLocalId } from '../../domain/outbox/vocabulary.ts';
import { type AnyResource, isSingle } from '../../domain/resource.ts';
import type { OfflineCopy, PresentFile } from '../../fields/attachment-input.ts';
import {
  type Keeping,
  type KeptRecord,
  type NotKept,
  useKeeping,
  useWishes,
  type Wishes,
} from '../../stores/catalogues.ts';
import { told } from '../told.ts';
import { canKeep, keepRecord, letRecordGo } from './keep.ts';
import { catalogueField, isSame } from './wanted.ts';
import { msg, say, t } from '../../language/t.ts';
import { sayTitle } from '../say-title.ts';

type Documents = Readonly<Record<string, PresentFile>>;

/** Returns a record's documents. Adds to the catalogue whether it is kept on this device, and how to change that. */
export function useKeptDocuments(resource: AnyResource, view: RecordView, documents: Documents): Documents {
  const wishes = useWishes();
  const keeping = useKeeping();
  return useMemo(() => {
    const field = isSingle(resource) ? undefined : catalogueField(resource);
    const file = field === undefined ? undefined : documents[field];
    if (isSingle(resource) || field === undefined || file === undefined) return documents;
    if (isLocalId(view.recordId) || !canKeep()) return documents;
    const id = Number(view.recordId);
    const one: KeptRecord = {
      resource: resource.name,
      id,
      title: sayTitle(resource, { id, ...view.values }),
      address: file.address,
    };
    return { ...documents, [field]: { ...file, offline: offlineCopy(one, wishes, keeping) } };
  }, [resource, view, documents, wishes, keeping]);
}

function offlineCopy(one: KeptRecord, { kinds, records }: Wishes, keeping: Keeping): OfflineCopy {
  const byKind = kinds.includes(one.resource);
  const isWanted = byKind || records.some((other) => isSame(one, other));
  const toggle = () => void told(isWanted ? letRecordGo(one) : keepRecord(one));
  const isKept = isWanted && keeping.kept.has(one.address);
  return {
    isWanted,
    isKept,
    words: isWanted ? wordsOf(one, keeping) : undefined,
    ...(!byKind && { onToggle: toggle }),
  };
}

const REASONS = {
  room: msg('Not enough space on this device'),
  gone: msg('No longer on the server'),
  refused: msg('Refused by the server'),
} as const satisfies Readonly<Record<NotKept, string>>;

function wordsOf({ address }: KeptRecord, { kept, failed, running, waits }: Keeping): string {
  if (kept.has(address)) return t('On this device');
  const reason = failed.get(address);
  if (reason !== undefined) return say(REASONS[reason]);
  if (waits === 'data-saver') return t('Downloads when data saving is off');
  return running ? t('Downloading…') : t('Downloads when the connection returns');
}
