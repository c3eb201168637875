import { useListedRow } from '../api/reads.ts';
import { type Resource, textOf } from '../domain/resource.ts';
import { Picture } from '../ui/picture.tsx';
import { useThumbnailAddress } from './thumbnails.ts';

interface RecordPictureProps {
  readonly resource: Resource;
  /** The server's id. */
  readonly id: number;
  readonly className: string;
}

/** The thumbnail of a record's first picture, from the cached list. Renders nothing if there is none. */
export function RecordPicture({ resource, id, className }: RecordPictureProps) {
  const row = useListedRow(resource, id);
  const address = useThumbnailAddress();
  const image = resource.columns.find(({ kind }) => kind === 'image');
  const name = textOf(row?.['photo']) || textOf(image && row?.[image.field]);
  return name === '' ? null : <Picture className={className} src={address(name, 48)} />;
}
