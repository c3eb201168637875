import { useCallback, useEffect, useRef, useState } from 'react';
import { type AttachmentField, isManyFiles } from '../../domain/fields.ts';
import type { FormFile } from '../form-file.ts';
import { takeFile } from './take-file.ts';
import { t } from '../../language/t.ts';

interface Taking {
  /** How many files are still being read. */
  readonly busy: number;
  /** What people should know of the files just picked: refused ones, duplicates. */
  readonly notices: readonly string[];
  readonly take: (files: readonly File[]) => Promise<void>;
}

/**
 * Reads picked files one after the other (a tablet's memory holds one decoded photo, not twenty) and hands each to the
 * form as soon as it is ready. A photo that is already there is noticed and left out. Where there is place for one file only,
 * the last pick counts, whichever is ready first.
 */
export function useTaking(
  field: AttachmentField,
  present: readonly FormFile[],
  onAdd: (files: readonly FormFile[]) => void,
): Taking {
  const [busy, setBusy] = useState(0);
  const [notices, setNotices] = useState<readonly string[]>([]);
  const known = useRef(present);
  const takes = useRef(0);
  const [wasEmpty, setWasEmpty] = useState(present.length === 0);
  // what was said of the files of a form that was emptied since is about none of its own
  if (wasEmpty !== (present.length === 0)) {
    setWasEmpty(!wasEmpty);
    if (!wasEmpty) setNotices([]);
  }
  useEffect(() => {
    known.current = present;
  });
  // A file that is ready after its field has gone belongs to no form any more.
  const gone = useRef(false);
  useEffect(() => {
    gone.current = false;
    return () => {
      gone.current = true;
    };
  }, []);

  const take = useCallback(
    async (picked: readonly File[]) => {
      const single = !isManyFiles(field);
      const files = single ? picked.slice(-1) : picked;
      if (files.length === 0) return;
      takes.current += 1;
      const number = takes.current;
      setNotices([]);
      // Nobody waits for a file whose place a later pick takes.
      setBusy((count) => (single ? 0 : count) + files.length);
      const added: FormFile[] = [];
      for (const file of files) {
        const taken = await takeFile(field, file);
        if (gone.current || (single && number !== takes.current)) return;
        const notice = taken.ok ? duplicateNotice(taken.file, [...known.current, ...added]) : taken.reason;
        if (notice !== undefined) setNotices((before) => [...before, notice]);
        else if (taken.ok) {
          added.push(taken.file);
          onAdd([taken.file]);
        }
        setBusy((count) => count - 1);
      }
    },
    [field, onAdd],
  );
  return { busy, notices, take };
}

function duplicateNotice(file: FormFile, present: readonly FormFile[]): string | undefined {
  if (file.sha256 === undefined) return undefined;
  const twin = present.find((other) => other.field === file.field && other.sha256 === file.sha256);
  return twin === undefined
    ? undefined
    : t('“{name}” is already here as “{other}”, so it was not added again.', { name: file.name, other: twin.name });
}
