import { useEffect, useState } from 'react';

interface Photo {
  readonly bitmap?: ImageBitmap;
  readonly failed?: boolean;
}

/** Decodes a photo upright, and releases its memory on unmount. */
export function usePhoto(blob: Blob): Photo {
  const [photo, setPhoto] = useState<Photo>({});
  useEffect(() => {
    let bitmap: ImageBitmap | undefined;
    let wanted = true;
    const open = async () => {
      bitmap = await createImageBitmap(blob, { imageOrientation: 'from-image' });
      if (wanted) setPhoto({ bitmap });
      else bitmap.close();
    };
    open().catch(() => setPhoto({ failed: true }));
    return () => {
      wanted = false;
      bitmap?.close();
    };
  }, [blob]);
  return photo;
}
