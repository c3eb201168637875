import type { FieldOf } from '../domain/fields.ts';
import type { AttachmentInputProps } from './attachment-input.ts';
import type { FormFile } from './form-file.ts';
import { PhotoGrid } from './photos/photo-grid.tsx';
import { PickZone } from './photos/pick-zone.tsx';
import { StoredPhotos } from './photos/stored-photos.tsx';
import { t } from '../language/t.ts';

/** Any number of photos: the stored ones with Delete, then new ones to add. The first of all is the cover. */
export function ImagesInput(props: AttachmentInputProps<FieldOf<'images'>>) {
  const replace = (key: string, edited: FormFile) => {
    props.onAdd([edited]);
    props.onMove(
      edited.key,
      props.files.findIndex((file) => file.key === key),
    );
    props.onRemove(key);
  };
  return (
    <>
      <StoredPhotos heading={t('Previous Images')} files={props.stored} actions={props.storedActions} cover />
      <PhotoGrid
        files={props.files}
        errors={props.fileErrors}
        onRemove={props.onRemove}
        onMove={props.onMove}
        onReplace={replace}
        cover={!props.stored.some(({ state }) => state !== 'leaving')}
      />
      {props.readOnly !== true && <PickZone {...props} present={props.files} />}
    </>
  );
}
