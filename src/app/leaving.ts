import { abandonUnsavedWork, hasUnsavedWork, watchUnsaved } from '../stores/unsaved.ts';
import { confirm } from '../ui/confirm.tsx';

/** Asks before unsaved work is left behind. True at once where there is none. */
export function mayLeave(): boolean | Promise<boolean> {
  return hasUnsavedWork() ? askToLeave() : true;
}

async function askToLeave(): Promise<boolean> {
  const yes = await confirm({
    title: 'Leave without saving?',
    text: 'What you changed on this page has not been saved.',
    confirmLabel: 'Leave',
    cancelLabel: 'Stay',
    destructive: true,
  });
  if (yes) abandonUnsavedWork();
  return yes;
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
