import { liveQueueState } from '../api/live.ts';

/** Shows the number of waiting changes on the installed app's icon, if the platform supports it. */
export function followBadge(): void {
  if (!('setAppBadge' in navigator)) return;
  let shown = -1;
  liveQueueState.subscribe(() => {
    const waiting = liveQueueState.value()?.waiting ?? 0;
    if (waiting === shown) return;
    shown = waiting;
    // A browser may refuse; the status chip shows the same number.
    navigator.setAppBadge(waiting).catch(() => {});
  });
}
