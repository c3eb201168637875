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

/** A record's first picture, small, as the device's copy of its list knows it. Nothing where it has none. */
export function RecordPicture({ resource, id, className }: RecordPictureProps) {
  const row = useListedRow(resource, id);
  const address = useThumbnailAddress();
  const image = resource.columns.find(({ kind }) => kind === 'image');
  const name = textOf(row?.['photo']) || textOf(image && row?.[image.field]);
  return name === '' ? null : <Picture className={className} src={address(name, 48)} />;
}
