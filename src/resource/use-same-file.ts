import { useState } from 'react';
import type { FileReference } from '../domain/outbox/vocabulary.ts';

/** The reference of a file's first render. Every save reloads all waiting changes and creates new references to the same files. */
export function useSameFile(reference: FileReference): FileReference {
  const [known, setKnown] = useState(reference);
  if (known.id === reference.id) return known;
  setKnown(reference);
  return reference;
}
