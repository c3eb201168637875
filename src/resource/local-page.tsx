import { useEffect, useState } from 'react';
import { outbox } from '../api/outbox.ts';
import type { FileReference } from '../domain/outbox/vocabulary.ts';
import { FirstPage } from '../fields/documents/first-page.tsx';
import { Picture } from '../ui/picture.tsx';
import { useSameFile } from './use-same-file.ts';

/** A preview of a pending PDF: its first page. */
export function LocalPage({ reference, className }: { reference: FileReference; className: string }) {
  const pending = useSameFile(reference);
  const [file, setFile] = useState<Blob>();
  useEffect(() => {
    let wanted = true;
    const found = (bytes: Blob | undefined) => wanted && setFile(bytes);
    // The outbox entry reports a lost file.
    outbox.file(pending).then(found, () => found(undefined));
    return () => {
      wanted = false;
    };
  }, [pending]);
  return file === undefined ? (
    <Picture className={className} src="" />
  ) : (
    <FirstPage className={className} blob={file} />
  );
}
