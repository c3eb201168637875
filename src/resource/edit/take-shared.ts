import type { DraftFile } from '../../api/drafts.ts';
import { type AttachmentField, isManyFiles } from '../../domain/fields.ts';
import type { FormFile } from '../../fields/form-file.ts';
import { takeFile } from '../../fields/photos/take-file.ts';
import { notify } from '../../stores/notifications.ts';
import { t } from '../../language/t.ts';

/** A shared photo as a file of a form. */
interface TakenPhoto {
  /** Its key among the shared photos. */
  readonly key: string;
  readonly file: FormFile;
}

/**
 * Reads shared photos for a field, until `isWanted` returns false. Toasts report those that the field refuses or has no space
 * for.
 */
export async function* takeShared(
  photos: readonly DraftFile[],
  field: AttachmentField,
  isWanted: () => boolean = () => true,
): AsyncGenerator<TakenPhoto> {
  // In sequence: rotating and resizing takes memory.
  for (const [place, { key, blob, name, type }] of photos.entries()) {
    const taken = await takeFile(field, new File([blob], name, { type }));
    if (!isWanted()) return;
    if (taken.ok) yield { key, file: taken.file };
    else notify(taken.reason, { kind: 'error' });
    if (!taken.ok || isManyFiles(field)) continue;
    if (place + 1 < photos.length) notify(t('There is space for one photo. The others stay shared.'), { kind: 'info' });
    return;
  }
}
