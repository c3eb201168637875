import { useEffect, useMemo, useState } from 'react';
import { type UploadFacts, uploadFacts } from '../../api/uploads.ts';
import { uploadAddress } from '../../domain/resource.ts';
import type { PresentFile } from '../../fields/attachment-input.ts';

const NOTHING_KNOWN: UploadFacts = {};

/** The catalogue that a record has, by its stored name: under the name it was picked with, as far as the server tells. */
export function useStoredDocument(stored: string | undefined): readonly PresentFile[] {
  const [told, setTold] = useState<{ stored: string; facts: UploadFacts }>();
  useEffect(() => {
    if (stored === undefined) return undefined;
    let wanted = true;
    void uploadFacts(uploadAddress(stored)).then((facts) => wanted && setTold({ stored, facts }));
    return () => {
      wanted = false;
    };
  }, [stored]);
  const facts = told !== undefined && told.stored === stored ? told.facts : NOTHING_KNOWN;
  return useMemo(() => {
    if (stored === undefined) return [];
    return [{ key: 'catalog', name: readableName(stored), address: uploadAddress(stored), thumbnail: '', ...facts }];
  }, [stored, facts]);
}

/** A stored name, unless it was made up by a server: that tells nobody anything. */
function readableName(stored: string): string {
  return stored.replace(/^[\da-z]{24,}(?=\.)/i, 'catalog');
}
