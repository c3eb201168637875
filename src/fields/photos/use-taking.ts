import { useCallback, useEffect, useRef, useState } from 'react';
import type { AttachmentField } from '../../domain/fields.ts';
import type { FormFile } from '../form-file.ts';
import { takeFile } from './take-file.ts';

interface Taking {
  /** How many files are still being read. */
  readonly busy: number;
  /** What people should know of the files just picked: refused ones, duplicates. */
  readonly notices: readonly string[];
  readonly take: (files: readonly File[]) => Promise<void>;
}

/**
 * Reads picked files one after the other (a tablet's memory holds one decoded photo, not twenty) and hands each to the
 * form as soon as it is ready. A photo that is already there is noticed and left out.
 */
export function useTaking(
  field: AttachmentField,
  present: readonly FormFile[],
  onAdd: (files: readonly FormFile[]) => void,
): Taking {
  const [busy, setBusy] = useState(0);
  const [notices, setNotices] = useState<readonly string[]>([]);
  const known = useRef(present);
  useEffect(() => {
    known.current = present;
  });

  const take = useCallback(
    async (files: readonly File[]) => {
      setNotices([]);
      setBusy((count) => count + files.length);
      const added: FormFile[] = [];
      for (const file of field.kind === 'images' ? files : files.slice(-1)) {
        const taken = await takeFile(field, file);
        const notice = taken.ok ? duplicateNotice(taken.file, [...known.current, ...added]) : taken.reason;
        if (notice !== undefined) setNotices((before) => [...before, notice]);
        else if (taken.ok) {
          added.push(taken.file);
          onAdd([taken.file]);
        }
        setBusy((count) => count - 1);
      }
      if (field.kind !== 'images') setBusy((count) => count - Math.max(0, files.length - 1));
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
    : `“${file.name}” is already here as “${twin.name}”, so it was not added again.`;
}
