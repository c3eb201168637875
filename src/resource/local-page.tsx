import { useEffect, useState } from 'react';
import { outbox } from '../api/outbox.ts';
import type { FileReference } from '../domain/outbox/vocabulary.ts';
import { FirstPage } from '../fields/documents/first-page.tsx';
import { Picture } from '../ui/picture.tsx';

/** A preview of a pending PDF: its first page. */
export function LocalPage({ reference, className }: { reference: FileReference; className: string }) {
  const [file, setFile] = useState<Blob>();
  useEffect(() => {
    let wanted = true;
    const found = (bytes: Blob | undefined) => wanted && setFile(bytes);
    // The outbox entry reports a lost file.
    outbox.file(reference).then(found, () => found(undefined));
    return () => {
      wanted = false;
    };
  }, [reference]);
  return file === undefined ? (
    <Picture className={className} src="" />
  ) : (
    <FirstPage className={className} blob={file} />
  );
}
