import { t } from '../language/t.ts';
import { confirm } from './confirm.tsx';

/** Returns a function that closes a dialog, after a question while it is `dirty`. */
export function useGuardedClose(dirty: boolean, close: () => void): () => void {
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
