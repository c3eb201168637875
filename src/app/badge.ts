import { liveQueueState } from '../api/live.ts';

/** Shows the number of waiting changes on the installed app's icon, where the platform can. */
export function followBadge(): void {
  if (!('setAppBadge' in navigator)) return;
  let shown = -1;
  liveQueueState.subscribe(() => {
    const waiting = liveQueueState.value()?.waiting ?? 0;
    if (waiting === shown) return;
    shown = waiting;
    // A browser that is not asked to, or may not, refuses: the chip says the same.
    navigator.setAppBadge(waiting).catch(() => {});
  });
}
