import { closeSnackbar, enqueueSnackbar, type SnackbarKey, SnackbarProvider } from 'notistack';
import { useEffect } from 'react';
import { isAboutDeletion } from '../domain/messages.ts';
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
    showWaiting();
    const stops = [useNotifications.subscribe(showWaiting), useSession.subscribe(closeOthers)];
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
  for (const notification of useNotifications.getState().take()) if (isForUser(notification)) show(notification);
}

/** Visible notifications with an action, by key. */
const offers = new Map<number, Notification>();

/** Closes what the user who has left could still have undone. */
function closeOthers(): void {
  for (const [key, offer] of offers) if (!isForUser(offer)) closeSnackbar(key);
}

/** Up to this many successes are shown one by one; more are merged into one. */
const FEW = 3;

interface Covered {
  readonly count: number;
  /** Nobody saves what is deleted. */
  readonly deletes: boolean;
}

/** Visible successes by key, with the changes that each covers. */
const standing = new Map<number, Covered>();

function show(notification: Notification): void {
  if (notification.kind !== 'success' || notification.action !== undefined) return enqueue(notification);
  standing.set(notification.id, { count: 1, deletes: isAboutDeletion(notification.message) });
  const all = [...standing.values()];
  if (standing.size <= FEW && !all.some((one) => one.count > 1)) return enqueue(notification);
  const count = all.reduce((sum, one) => sum + one.count, 0);
  const deletes = all.some((one) => one.deletes);
  for (const key of standing.keys()) if (key !== notification.id) closeSnackbar(key);
  standing.clear();
  standing.set(notification.id, { count, deletes });
  const message = deletes ? t('{count} changes sent', { count }) : t('{count} changes saved', { count });
  enqueue({ ...notification, message });
}

function forget(key: SnackbarKey | undefined): void {
  standing.delete(Number(key));
  offers.delete(Number(key));
}

function enqueue(notification: Notification): void {
  const { id: key, kind, action } = notification;
  if (action !== undefined) offers.set(key, notification);
  // Where there is no more room, the library closes the oldest that is not marked so.
  const persist = kind === 'error' || action !== undefined;
  enqueueSnackbar(notification.message, { key, variant: 'toast', persist, notification });
}
