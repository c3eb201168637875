import type { FieldOf } from '../domain/fields.ts';
import type { AttachmentInputProps } from './attachment-input.ts';
import { PhotoGrid } from './photos/photo-grid.tsx';
import { PickZone } from './photos/pick-zone.tsx';
import { StoredPhotos } from './photos/stored-photos.tsx';
import { t } from '../language/t.ts';

/** A single picture: the stored one, and the new one that replaces it. */
export function ImageInput(props: AttachmentInputProps<FieldOf<'image'>>) {
  return (
    <>
      <div className="beside">
        <StoredPhotos heading={t('Previous image')} files={props.stored} />
        {props.files.length > 0 && (
          <section className="stored-photos">
            {props.stored.length > 0 && <h2>{t('New image')}</h2>}
            <PhotoGrid
              files={props.files}
              errors={props.fileErrors}
              onRemove={props.onRemove}
              onMove={props.onMove}
              onReplace={(key, edited) => {
                props.onRemove(key);
                props.onAdd([edited]);
              }}
            />
          </section>
        )}
      </div>
      {props.readOnly !== true && <PickZone {...props} present={props.files} />}
    </>
  );
}
