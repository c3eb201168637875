import { abandonUnsavedWork, hasUnsavedWork, watchUnsaved } from '../stores/unsaved.ts';
import { confirm } from '../ui/confirm.tsx';
import { t } from '../language/t.ts';

/** Asks before unsaved work is left behind, and gives it up when that is agreed to. True at once where there is none. */
export function mayLeave(): boolean | Promise<boolean> {
  return hasUnsavedWork() ? askAndAbandon() : true;
}

async function askAndAbandon(): Promise<boolean> {
  const yes = await askToLeave();
  if (yes) abandonUnsavedWork();
  return yes;
}

/** Asks the same and gives nothing up yet: for who may still stay for another reason. */
export async function askToLeave(): Promise<boolean> {
  if (!hasUnsavedWork()) return true;
  return confirm({
    title: t('Leave without saving?'),
    text: t('Your changes on this page haven’t been saved.'),
    confirmLabel: t('Leave'),
    cancelLabel: t('Stay'),
    destructive: true,
  });
}

/**
 * Lets the browser ask before a reload or a closed tab, for as long as there is unsaved work: a listener that always stands
 * would keep every page out of the back/forward cache.
 */
export function guardUnload(): void {
  const ask = (event: BeforeUnloadEvent) => event.preventDefault();
  watchUnsaved(() => {
    if (hasUnsavedWork()) window.addEventListener('beforeunload', ask);
    else window.removeEventListener('beforeunload', ask);
  });
}
