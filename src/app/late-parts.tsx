import { lazy, Suspense, useEffect, useState } from 'react';
import { ErrorBoundary } from './error-boundary.tsx';
import { adoptNotistackStyles } from './notify-styles.ts';
import { prefetchScreens } from './screens.tsx';
import { whenIdle } from './when-idle.ts';

const NotifyHost = lazy(() => {
  adoptNotistackStyles();
  return import('./notify.tsx');
});

const Panels = lazy(() => import('./panels.tsx'));
const UpdatePrompt = lazy(() => import('./update-prompt.tsx'));

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
    <ErrorBoundary occasion="late" fallback={null}>
      <Suspense fallback={null}>
        <NotifyHost />
        <UpdatePrompt />
        <Panels />
      </Suspense>
    </ErrorBoundary>
  ) : null;
}
