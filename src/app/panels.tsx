import { Suspense, useEffect } from 'react';
import { openPanel, usePanel } from '../stores/panels.ts';
import { useSession } from '../stores/session.ts';
import { late, usePrefetch } from '../ui/late.tsx';
import { isWriting } from '../ui/writing.ts';

const FindDialog = late(() => import('./find/find-dialog.tsx'));
const HelpDialog = late(() => import('./help/help-dialog.tsx'));
const ScanDialog = late(() => import('./scan/scan-dialog.tsx'));

const LATE = [FindDialog, HelpDialog, ScanDialog];

const close = () => openPanel(undefined);

/** Find, Scan and Help over any screen, and the keys that open them. Requires a signed-in user. */
export default function Panels() {
  usePrefetch(LATE);
  const { open, query } = usePanel();
  const signedIn = useSession(({ user }) => user !== undefined);
  useEffect(() => {
    if (!signedIn) return undefined;
    document.addEventListener('keydown', openByKey);
    return () => document.removeEventListener('keydown', openByKey);
  }, [signedIn]);
  if (open === undefined || !signedIn) return null;
  return (
    <Suspense fallback={null}>
      {open === 'find' && <FindDialog begin={query} onClose={close} />}
      {open === 'scan' && <ScanDialog onClose={close} />}
      {open === 'help' && <HelpDialog onClose={close} />}
    </Suspense>
  );
}

function openByKey(event: KeyboardEvent): void {
  if (event.defaultPrevented) return;
  if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
    event.preventDefault();
    openPanel(usePanel.getState().open === 'find' ? undefined : 'find');
  } else if (event.key === '?' && !isWriting(event.target)) {
    openPanel('help');
  }
}
