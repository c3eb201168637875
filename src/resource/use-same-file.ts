import { useState } from 'react';
import type { FileReference } from '../domain/outbox/vocabulary.ts';

/** The reference of a file's first render. Every save reloads all waiting changes and creates new references to the same files. */
export function useSameFile(reference: FileReference): FileReference {
  return useSame(reference, (known) => known.id === reference.id);
}

/** The same for several files. */
export function useSameFiles(references: readonly FileReference[]): readonly FileReference[] {
  const isSame = (known: readonly FileReference[]) =>
    known.length === references.length && known.every(({ id }, at) => id === references[at]?.id);
  return useSame(references, isSame);
}

function useSame<T>(latest: T, isSame: (known: T) => boolean): T {
  const [known, setKnown] = useState(latest);
  if (isSame(known)) return known;
  setKnown(latest);
  return latest;
}
