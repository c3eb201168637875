import { t } from '../language/t.ts';
import { useUnsaved } from '../stores/unsaved.ts';
import { confirm } from './confirm.tsx';

/**
 * Marks the work of a dialog as unsaved while `dirty`. Returns a function that closes the dialog, after a question if something would
 * be lost.
 */
export function useGuardedClose(dirty: boolean, close: () => void): () => void {
  useUnsaved(dirty);
  const ask = async () => {
    const yes = await confirm({
      title: t('Discard your changes?'),
      text: t('Your changes on this page haven’t been saved.'),
      confirmLabel: t('Discard'),
      cancelLabel: t('Stay'),
      destructive: true,
    });
    if (yes) close();
  };
  return () => (dirty ? void ask() : close());
}
