import { useCallback, useEffect, useRef, useState } from 'react';
import { type AttachmentField, isManyFiles } from '../../domain/fields.ts';
import type { FormFile } from '../form-file.ts';
import { takeFile } from './take-file.ts';
import { t } from '../../language/t.ts';

interface Taking {
  /** The number of files still being read. */
  readonly busy: number;
  /** Messages about the files just picked: refusals and duplicates. */
  readonly notices: readonly string[];
  readonly take: (files: readonly File[]) => Promise<void>;
}

/**
 * Reads picked files one at a time (a tablet's memory holds one decoded photo, not twenty) and adds each to the form as soon
 * as it is ready. Duplicates are reported and left out. In a field for a single file the last pick wins, whichever is ready
 * first.
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
  // After the form is emptied, messages about its previous files no longer apply.
  if (wasEmpty !== (present.length === 0)) {
    setWasEmpty(!wasEmpty);
    if (!wasEmpty) setNotices([]);
  }
  useEffect(() => {
    known.current = present;
  });
  // A file that becomes ready after unmount belongs to no form.
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
      // A later pick replaces an earlier file that is still being read.
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
