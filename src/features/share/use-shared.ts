import { useEffect, useState } from 'react';
import type { AttachmentField } from '../../domain/fields.ts';
import { photoField, type Resource } from '../../domain/resource.ts';
import { type FormFile, withFiles } from '../../fields/form-file.ts';
import { type DraftFile, drafts } from '../../api/drafts.ts';
import { newDraftKey } from '../../domain/draft-keys.ts';
import { emptyContent } from '../../resource/form/content.ts';
import { nextDraftKey } from '../../resource/form/use-draft.ts';
import { takeShared } from '../../resource/edit/take-shared.ts';
import { told, toldDone } from '../../resource/told.ts';
import { useAdministrator } from '../../resource/use-administrator.ts';
import { say, t } from '../../language/t.ts';

export interface SharedPhotos {
  readonly photos: readonly DraftFile[];
  /**
   * Adds them to the unfinished new record of that kind. Those that it has no place for stay shared. Resolves to false when
   * none could be added; a toast says why.
   */
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
    if (await toldDone(drafts.forgetShared(photos.map(({ key }) => key)))) setPhotos([]);
  };
  const putInto = async (resource: Resource) => {
    const taken: FormFile[] = [];
    const used: string[] = [];
    for await (const { key, file } of takeShared(photos, fieldFor(resource))) {
      taken.push(file);
      used.push(key);
    }
    if (taken.length === 0) return false;
    if (!(await toldDone(addToDraft(newDraftKey(administrator, resource), resource, taken)))) return false;
    await toldDone(drafts.forgetShared(used));
    return true;
  };
  return { photos, putInto, forget };
}

function fieldFor(resource: Resource): AttachmentField {
  const field = photoField(resource);
  if (field === undefined) throw new Error(t('{what} don’t take photos.', { what: say(resource.label.many) }));
  return field;
}

async function addToDraft(shared: string, resource: Resource, taken: readonly FormFile[]): Promise<void> {
  const key = await nextDraftKey(shared);
  const begun = (await drafts.read(key)) ?? { ...emptyContent(resource), savedAt: 0 };
  const files = withFiles(begun.files, fieldFor(resource), taken);
  await drafts.write(key, { ...begun, files });
}
