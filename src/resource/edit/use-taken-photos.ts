import { useEffect } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { drafts } from '../../api/drafts.ts';
import { type AnyResource, isSingle, photoField } from '../../domain/resource.ts';
import { useLatest } from '../../ui/use-latest.ts';
import { useOpen } from '../../ui/use-open.ts';
import type { FormFile } from '../../fields/form-file.ts';
import { onceKept } from '../form/use-draft.ts';
import type { OpenForm } from '../form/use-save.ts';
import type { TakingShared } from '../paths.ts';
import { told } from '../told.ts';
import { takeShared } from './take-shared.ts';
import { msg, say } from '../../language/t.ts';

/** The name of this reading in the form's session. */
const SHARED = 'shared photos';

const STILL_KEPT = msg('The shared photos are still kept.');

/** Adds photos shared with the app to the form opened for them, once. */
export function useTakenPhotos(resource: AnyResource, { dispatch }: OpenForm): void {
  const location = useLocation();
  const latest = useLatest({ location, navigate: useNavigate() });
  const wanted = (location.state as Partial<TakingShared> | null)?.takeShared === true;
  const { isOpen } = useOpen();
  useEffect(() => {
    const field = isSingle(resource) ? undefined : photoField(resource);
    if (!wanted || field === undefined) return;
    let stopWaiting = () => {};
    const forget = async (used: readonly string[]) => {
      await drafts.forgetShared(used);
      // A reload of the form takes no more of them.
      await latest.current.navigate(latest.current.location, { replace: true });
    };
    const take = async () => {
      const shared = await drafts.shared();
      dispatch({ type: 'reading', name: SHARED, busy: true });
      const used: string[] = [];
      const files: FormFile[] = [];
      // Photos of a form that was left stay shared.
      for await (const { key, file } of takeShared(shared?.files ?? [], field, isOpen)) {
        dispatch({ type: 'picked', field, files: [file] });
        used.push(key);
        files.push(file);
      }
      // They stay shared until the form is kept: the device may have no room for its draft.
      if (isOpen() && files.length > 0) stopWaiting = onceKept(files, () => void told(forget(used), say(STILL_KEPT)));
    };
    void told(take(), say(STILL_KEPT)).then(() => dispatch({ type: 'reading', name: SHARED, busy: false }));
    return () => stopWaiting();
  }, [wanted, resource, dispatch, isOpen, latest]);
}
