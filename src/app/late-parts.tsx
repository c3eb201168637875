import { useEffect, useState } from 'react';
import { LatePart } from './late-part.tsx';
import { adoptNotistackStyles } from './notify-styles.ts';
import { PlainNotice } from './plain-notice.tsx';
import { prefetchScreens } from './screens.tsx';
import { whenIdle } from '../ui/when-idle.ts';

const loadToasts = () => {
  adoptNotistackStyles();
  return import('./notify.tsx');
};
const loadPanels = () => import('./panels.tsx');
const loadUpdatePrompt = () => import('./update-prompt.tsx');

/** What the first paint does without: toasts, prompts, and the code of the screens that were not opened yet. */
export function LateParts() {
  const [late, setLate] = useState(false);
  useEffect(
    () =>
      whenIdle(() => {
        setLate(true);
        // Without a connection, and before the first visit has put them on the device, there is nothing to fetch.
        prefetchScreens().catch(() => {});
      }),
    [],
  );
  return late ? (
    <>
      <LatePart load={loadToasts} instead={<PlainNotice />} />
      <LatePart load={loadUpdatePrompt} />
      <LatePart load={loadPanels} />
    </>
  ) : null;
}
