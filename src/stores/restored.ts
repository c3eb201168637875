/**
 * Calls `work` when this page comes back from the back/forward cache, where it missed all events. Returns an unsubscribe
 * function.
 */
export function onRestored(work: () => void): () => void {
  const restored = ({ persisted }: PageTransitionEvent) => {
    if (persisted) work();
  };
  window.addEventListener('pageshow', restored);
  return () => window.removeEventListener('pageshow', restored);
}
