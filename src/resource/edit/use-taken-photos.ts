import { useEffect } from 'react';
import { useLocation } from 'react-router-dom';
import { drafts } from '../../api/drafts.ts';
import { type AnyResource, isSingle, photoField } from '../../domain/resource.ts';
import { takeFile } from '../../fields/photos/take-file.ts';
import { notify } from '../../stores/notifications.ts';
import type { OpenForm } from '../form/use-save.ts';
import type { TakingShared } from '../paths.ts';
import { told } from '../told.ts';
import { t } from '../../language/t.ts';

/** The name of this reading in the form's session. */
const SHARED = 'shared photos';

/** Adds photos shared with the app to the form opened for them, once. */
export function useTakenPhotos(resource: AnyResource, { dispatch }: OpenForm): void {
  const { state } = useLocation();
  const wanted = (state as Partial<TakingShared> | null)?.takeShared === true;
  useEffect(() => {
    const field = isSingle(resource) ? undefined : photoField(resource);
    if (!wanted || field === undefined) return;
    const take = async () => {
      const shared = await drafts.shared();
      dispatch({ type: 'reading', name: SHARED, busy: true });
      // In sequence: rotating and resizing takes memory.
      for (const { blob, name, type } of shared?.files ?? []) {
        const taken = await takeFile(field, new File([blob], name, { type }));
        if (taken.ok) dispatch({ type: 'picked', field, files: [taken.file] });
        else notify(taken.reason, { kind: 'error' });
      }
      await drafts.forgetShared();
    };
    void told(take(), t('The shared photos are still kept.')).then(() =>
      dispatch({ type: 'reading', name: SHARED, busy: false }),
    );
  }, [wanted, resource, dispatch]);
}
