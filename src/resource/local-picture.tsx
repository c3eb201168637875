import { type CSSProperties, useEffect, useState } from 'react';
import { outbox } from '../api/outbox.ts';
import type { FileReference } from '../domain/outbox/vocabulary.ts';
import { Picture } from '../ui/picture.tsx';
import { useSameFile } from './use-same-file.ts';

interface LocalPictureProps {
  readonly reference: FileReference;
  readonly className: string;
  readonly style?: CSSProperties;
}

/** A pending picture, shown from its bytes on this device. Its server name is unknown, and its bytes are gone once sent. */
export function LocalPicture({ reference, ...look }: LocalPictureProps) {
  const pending = useSameFile(reference);
  const [src, setSrc] = useState<string>();
  useEffect(() => {
    let made: string | undefined;
    let wanted = true;
    const open = async () => {
      const file = await outbox.file(pending).catch(() => undefined);
      if (!wanted || file === undefined) return;
      made = URL.createObjectURL(file);
      setSrc(made);
    };
    void open();
    return () => {
      wanted = false;
      if (made !== undefined) URL.revokeObjectURL(made);
    };
  }, [pending]);
  return src === undefined ? <Picture {...look} src="" /> : <img {...look} src={src} alt="" />;
}
