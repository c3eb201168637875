import { useEffect, useState } from 'react';
import type { AttachmentField } from '../../domain/fields.ts';
import { photoField, type Resource } from '../../domain/resource.ts';
import { type FormFile, withFiles } from '../../fields/form-file.ts';
import { takeFile } from '../../fields/photos/take-file.ts';
import { type DraftFile, drafts } from '../../api/drafts.ts';
import { newDraftKey } from '../../domain/draft-keys.ts';
import { emptyContent } from '../../resource/form/content.ts';
import { told, toldDone } from '../../resource/told.ts';
import { useAdministrator } from '../../resource/use-administrator.ts';
import { notify } from '../../stores/notifications.ts';
import { say, t } from '../../language/t.ts';

export interface SharedPhotos {
  readonly photos: readonly DraftFile[];
  /** Adds them to the unfinished new record of that kind. Resolves to false when none could be added; a toast says why. */
  putInto(resource: Resource): Promise<boolean>;
  /** Discards them. */
  forget(): Promise<void>;
}

/** The photos that were shared with the app. Undefined until they have been read from the device. */
export function useShared(): SharedPhotos | undefined {
  const administrator = useAdministrator();
  const [photos, setPhotos] = useState<readonly DraftFile[]>();
  useEffect(() => {
    void told(drafts.shared().then((shared) => shared?.files ?? [])).then(setPhotos);
  }, []);
  if (photos === undefined) return undefined;
  const forget = async () => {
    if (await toldDone(drafts.forgetShared())) setPhotos([]);
  };
  const putInto = async (resource: Resource) => {
    const taken = await takePhotos(photos, fieldFor(resource));
    if (taken.length === 0) return false;
    if (!(await toldDone(addToDraft(newDraftKey(administrator, resource), resource, taken)))) return false;
    await toldDone(drafts.forgetShared());
    return true;
  };
  return { photos, putInto, forget };
}

function fieldFor(resource: Resource): AttachmentField {
  const field = photoField(resource);
  if (field === undefined) throw new Error(t('{what} don’t take photos.', { what: say(resource.label.many) }));
  return field;
}

async function takePhotos(photos: readonly DraftFile[], field: AttachmentField): Promise<FormFile[]> {
  const files: FormFile[] = [];
  // One at a time: rotating and downscaling a photo takes a lot of memory.
  for (const { blob, name, type } of photos) {
    const taken = await takeFile(field, new File([blob], name, { type }));
    if (taken.ok) files.push(taken.file);
    else notify(taken.reason, { kind: 'error' });
  }
  return files;
}

async function addToDraft(key: string, resource: Resource, taken: readonly FormFile[]): Promise<void> {
  const begun = (await drafts.read(key)) ?? { ...emptyContent(resource), savedAt: 0 };
  const files = withFiles(begun.files, fieldFor(resource), taken);
  await drafts.write(key, { ...begun, files, savedAt: Date.now() });
}
