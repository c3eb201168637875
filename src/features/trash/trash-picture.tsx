import { useEffect, useState } from 'react';
import { trashedPicture } from '../../api/trash.ts';
import { resourceOf } from '../../domain/resources/index.ts';
import type { TrashEntry } from '../../domain/protocol/trash.ts';
import { useObjectUrl } from '../../fields/photos/use-object-url.ts';
import { RESOURCE_ICONS } from '../../ui/resource-icons.ts';

/** The first picture of a deleted record, or the icon of its kind. It is decorative: the name stands beside it. */
export function TrashPicture({ entry: { picture, resource } }: { readonly entry: TrashEntry }) {
  const [blob, setBlob] = useState<Blob>();
  useEffect(() => {
    if (picture === undefined) return;
    const leaving = new AbortController();
    void trashedPicture(picture, leaving.signal).then((found) => leaving.signal.aborted || setBlob(found));
    return () => leaving.abort();
  }, [picture]);
  const Icon = RESOURCE_ICONS[resourceOf(resource).name];
  return (
    <span className="trash-picture" aria-hidden="true">
      {blob === undefined ? <Icon /> : <Shown blob={blob} />}
    </span>
  );
}

function Shown({ blob }: { readonly blob: Blob }) {
  return <img src={useObjectUrl(blob)} alt="" decoding="async" />;
}
