import { outbox } from '../../api/outbox.ts';
import { fetchUpload } from '../../api/uploads.ts';
import { type AttachmentField, isAttachment, isManyFiles } from '../../domain/fields.ts';
import type { RecordView } from '../../domain/outbox/optimistic-view.ts';
import { type Resource, uploadAddress } from '../../domain/resource.ts';
import { say, t } from '../../language/t.ts';

/** One file of a record that is being duplicated, and how its bytes are had. */
export interface FileSource {
  readonly field: AttachmentField;
  /** Throws where they cannot be had now. */
  readonly open: (signal: AbortSignal) => Promise<File>;
}

/** All files of a record as it stands on this device: the stored ones that stay, then those of changes made here. */
export function fileSources(resource: Resource, view: RecordView): FileSource[] {
  return resource.fields.filter(isAttachment).flatMap((field) => {
    // of those that were sent there is nothing left here: the form says that they are missing
    const waiting = [...view.sentFiles, ...view.pendingFiles]
      .filter((file) => file.field === field.name)
      .map((file): FileSource => ({ field, open: () => outbox.file(file) }));
    // A single file that waits takes the stored one's place.
    return isManyFiles(field) || waiting.length === 0 ? [...storedSources(field, view), ...waiting] : waiting;
  });
}

function storedSources(field: AttachmentField, view: RecordView): FileSource[] {
  return storedNames(field, view).map((stored, index) => {
    const name = `${field.kind === 'file' ? say(field.label) : t('Photo {number}', { number: index + 1 })}${extensionOf(stored)}`;
    return { field, open: (signal) => fetchUpload(uploadAddress(stored), name, signal) };
  });
}

function storedNames(field: AttachmentField, { images, removedImageIds, files }: RecordView): string[] {
  if (isManyFiles(field)) return images.filter(({ id }) => !removedImageIds.includes(id)).map((one) => one.image);
  const stored = files[field.name];
  return stored === undefined ? [] : [stored];
}

/** ".jpg" of a stored name, whose rest is made up. */
function extensionOf(stored: string): string {
  return /\.\w+$/.exec(stored)?.[0] ?? '';
}
