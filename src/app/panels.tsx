import { Suspense, useEffect, useRef } from 'react';
import { NavigationType, useLocation, useNavigationType } from 'react-router-dom';
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
    if (!signedIn) return close();
    document.addEventListener('keydown', openByKey);
    return () => document.removeEventListener('keydown', openByKey);
  }, [signedIn]);
  useCloseOnBack();
  if (open === undefined || !signedIn) return null;
  return (
    <Suspense fallback={null}>
      {open === 'find' && <FindDialog begin={query} onClose={close} />}
      {open === 'scan' && <ScanDialog onClose={close} />}
      {open === 'help' && <HelpDialog onClose={close} />}
    </Suspense>
  );
}

/** Closes the panel when the browser goes back or forward: Android's Back is meant for what is on top. */
function useCloseOnBack(): void {
  const { key } = useLocation();
  const how = useNavigationType();
  const last = useRef(key);
  useEffect(() => {
    if (key !== last.current && how === NavigationType.Pop && usePanel.getState().open !== undefined) close();
    last.current = key;
  }, [key, how]);
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
