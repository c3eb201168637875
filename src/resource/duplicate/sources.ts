import { outbox } from '../../api/outbox.ts';
import { fetchUpload } from '../../api/uploads.ts';
import { type AttachmentField, isAttachment, isManyFiles } from '../../domain/fields.ts';
import type { RecordView } from '../../domain/outbox/optimistic-view.ts';
import { type Resource, uploadAddress } from '../../domain/resource.ts';
import { say, t } from '../../language/t.ts';

/** A file of the duplicated record, and how to get its bytes. */
export interface FileSource {
  readonly field: AttachmentField;
  /** Throws if they are not available now. */
  readonly open: (signal: AbortSignal) => Promise<File>;
}

/** All files of a record on this device: remaining stored files, then files of pending changes. */
export function fileSources(resource: Resource, view: RecordView): FileSource[] {
  return resource.fields.filter(isAttachment).flatMap((field) => {
    // the bytes of sent files are gone from this device: the form reports them as missing
    const waiting = [...view.sentFiles, ...view.pendingFiles]
      .filter((file) => file.field === field.name)
      .map((file): FileSource => ({ field, open: () => outbox.file(file) }));
    // The newest pending single file replaces those before it.
    if (isManyFiles(field)) return [...storedSources(field, view), ...waiting];
    return waiting.length === 0 ? storedSources(field, view) : waiting.slice(-1);
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

/** The extension of a stored name, such as ".jpg". The rest of the name is generated. */
function extensionOf(stored: string): string {
  return /\.\w+$/.exec(stored)?.[0] ?? '';
}
