import { closeSnackbar, enqueueSnackbar, type SnackbarKey, SnackbarProvider } from 'notistack';
import { useEffect } from 'react';
import { type Notification, useNotifications } from '../stores/notifications.ts';
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
    showWaiting();
    return useNotifications.subscribe(showWaiting);
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
  for (const notification of useNotifications.getState().take()) show(notification);
}

/** Up to this many successes are shown one by one; more are merged into one. */
const FEW = 3;

/** Visible successes by key, with the number of changes each covers. */
const standing = new Map<number, number>();

function show(notification: Notification): void {
  if (notification.kind !== 'success' || notification.action !== undefined) return enqueue(notification);
  standing.set(notification.id, 1);
  if (standing.size <= FEW && ![...standing.values()].some((count) => count > 1)) return enqueue(notification);
  const count = [...standing.values()].reduce((sum, one) => sum + one, 0);
  for (const key of standing.keys()) if (key !== notification.id) closeSnackbar(key);
  standing.clear();
  standing.set(notification.id, count);
  enqueue({ ...notification, message: t('{count} changes saved', { count }) });
}

function forget(key: SnackbarKey | undefined): void {
  standing.delete(Number(key));
}

function enqueue(notification: Notification): void {
  const { id: key, kind, action } = notification;
  // Where there is no more room, the library closes the oldest that is not marked so.
  const persist = kind === 'error' || action !== undefined;
  enqueueSnackbar(notification.message, { key, variant: 'toast', persist, notification });
}
