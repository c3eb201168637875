import { useState } from 'react';
import type { FileReference } from '../domain/outbox/vocabulary.ts';

/** The reference of the first render of its file. Every save has all waiting changes read, and their references made anew. */
export function useSameFile(reference: FileReference): FileReference {
  const [known, setKnown] = useState(reference);
  if (known.id === reference.id) return known;
  setKnown(reference);
  return reference;
}
