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

/** Everything the first paint does not need: toasts, prompts, and the code of screens not opened yet. */
export function LateParts() {
  const [late, setLate] = useState(false);
  useEffect(
    () =>
      whenIdle(() => {
        setLate(true);
        // Fails offline if the code is not on the device yet. The next page load tries again.
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
