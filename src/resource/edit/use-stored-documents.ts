import { useEffect, useMemo, useState } from 'react';
import { type UploadFacts, uploadFacts } from '../../api/uploads.ts';
import { isAttachment } from '../../domain/fields.ts';
import type { RecordView } from '../../domain/outbox/optimistic-view.ts';
import { type AnyResource, uploadAddress } from '../../domain/resource.ts';
import type { PresentFile } from '../../fields/attachment-input.ts';

const NOTHING_KNOWN: Readonly<Record<string, UploadFacts>> = {};

/** The stored documents of a record by field, under their original names if the server has them. */
export function useStoredDocuments(
  resource: AnyResource,
  { files }: Pick<RecordView, 'files'>,
): Readonly<Record<string, PresentFile>> {
  const [facts, setFacts] = useState(NOTHING_KNOWN);
  const documents = useMemo(() => documentsOf(resource, files), [resource, files]);
  // the view changes with every outbox update, the names rarely do
  const names = documents.map(([, stored]) => stored).join('/');
  useEffect(() => {
    if (names === '') return undefined;
    let wanted = true;
    const tell = (stored: string, told: UploadFacts) => wanted && setFacts((known) => ({ ...known, [stored]: told }));
    for (const stored of names.split('/')) void uploadFacts(uploadAddress(stored)).then((told) => tell(stored, told));
    return () => {
      wanted = false;
    };
  }, [names]);
  return useMemo(
    () =>
      Object.fromEntries(documents.map(([field, stored]) => [field, presentDocument(field, stored, facts[stored])])),
    [documents, facts],
  );
}

function documentsOf(
  { fields }: AnyResource,
  files: RecordView['files'],
): (readonly [field: string, stored: string])[] {
  return fields.flatMap((field) => {
    const stored = files[field.name];
    return isAttachment(field) && field.kind === 'file' && stored !== undefined ? [[field.name, stored] as const] : [];
  });
}

function presentDocument(field: string, stored: string, facts: UploadFacts | undefined): PresentFile {
  return { key: field, name: readableName(field, stored), address: uploadAddress(stored), thumbnail: '', ...facts };
}

/** A stored name, unless the server generated it: that would mean nothing to the user. */
function readableName(field: string, stored: string): string {
  return stored.replace(/^[\da-z]{24,}(?=\.)/i, field);
}
