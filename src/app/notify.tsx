import { closeSnackbar, enqueueSnackbar, type SnackbarKey, SnackbarProvider } from 'notistack';
import { useEffect } from 'react';
import { isForUser, type Notification, useNotifications } from '../stores/notifications.ts';
import { useSession } from '../stores/session.ts';
import { Toast } from './notify-toast.tsx';
import { MOTION } from '../ui/tokens.ts';
import './toasts.css';
import { t } from '../language/t.ts';

declare module 'notistack' {
  interface VariantOverrides {
    toast: { notification: Notification };
  }
}

/** Shows notifications at the top right, the newest in front, each with a shrinking bar. */
export default function NotifyHost() {
  useEffect(() => {
    standing.clear();
    merged = undefined;
    showWaiting();
    const stops = [
      useNotifications.subscribe(showWaiting),
      useNotifications.subscribe(closeDismissed),
      useSession.subscribe(closeOthers),
    ];
    return () => stops.forEach((stop) => stop());
  }, []);
  return (
    <SnackbarProvider
      maxSnack={4}
      classes={{ containerRoot: 'toasts' }}
      anchorOrigin={{ vertical: 'top', horizontal: 'right' }}
      // The toast has its own timer, which pauses under the pointer.
      autoHideDuration={null}
      transitionDuration={MOTION}
      disableWindowBlurListener
      onClose={(_, __, key) => forget(key)}
      Components={{ toast: Toast }}
    />
  );
}

function showWaiting(): void {
  const { take, dismissed } = useNotifications.getState();
  for (const notification of take()) if (isForUser(notification) && notification.id !== dismissed) show(notification);
}

/** Visible notifications with an action, by key. */
const offers = new Map<number, Notification>();

function closeDismissed({ dismissed }: { readonly dismissed?: number }): void {
  if (dismissed !== undefined) closeSnackbar(dismissed);
}

/** Closes what the user who has left could still have undone. */
function closeOthers(): void {
  for (const [key, offer] of offers) if (!isForUser(offer)) closeSnackbar(key);
}

/** Up to this many confirmed changes are told one by one; more are merged into one notification. */
const FEW = 3;

/** Visible notifications of confirmed changes by key, with how many each tells of. */
const standing = new Map<number, number>();

/** The key of the visible notification that others were merged into. */
let merged: number | undefined;

function show(notification: Notification): void {
  const { id, kind, action, changes = 1 } = notification;
  if (kind !== 'success' || action !== undefined) return enqueue(notification);
  standing.set(id, changes);
  const isMerged = standing.size > FEW || merged !== undefined;
  if (!isMerged) return enqueue(notification);
  const count = [...standing.values()].reduce((sum, one) => sum + one, 0);
  for (const key of standing.keys()) if (key !== id) closeSnackbar(key);
  standing.clear();
  standing.set(id, count);
  merged = id;
  enqueue({ ...notification, message: t('{count} changes sent', { count }) });
}

function forget(key: SnackbarKey | undefined): void {
  standing.delete(Number(key));
  if (merged === key) merged = undefined;
  offers.delete(Number(key));
}

function enqueue(notification: Notification): void {
  const { id: key, kind, action } = notification;
  if (action !== undefined) offers.set(key, notification);
  // Where there is no more room, the library closes the oldest that is not marked so.
  const persist = kind === 'error' || action !== undefined;
  enqueueSnackbar(notification.message, { key, variant: 'toast', persist, notification });
}
