import { abandonUnsavedWork, hasUnsavedWork, watchUnsaved } from '../stores/unsaved.ts';
import { confirm } from '../ui/confirm.tsx';
import { t } from '../language/t.ts';

/** Asks before unsaved work is lost, and discards it if the user agrees. Returns true at once if there is none. */
export function mayLeave(): boolean | Promise<boolean> {
  return hasUnsavedWork() ? askAndAbandon() : true;
}

async function askAndAbandon(): Promise<boolean> {
  const yes = await askToLeave();
  if (yes) abandonUnsavedWork();
  return yes;
}

/** Asks the same without discarding, for callers that may still stay for another reason. */
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
 * Lets the browser ask before a reload or a closed tab. Listens only while there is unsaved work, because a permanent
 * listener would keep every page out of the back/forward cache.
 */
export function guardUnload(): void {
  const ask = (event: BeforeUnloadEvent) => event.preventDefault();
  watchUnsaved(() => {
    if (hasUnsavedWork()) window.addEventListener('beforeunload', ask);
    else window.removeEventListener('beforeunload', ask);
  });
}
