import { enqueueSnackbar, SnackbarProvider } from 'notistack';
import { useEffect } from 'react';
import { type Notification, useNotifications } from '../stores/notifications.ts';
import { Toast } from './notify-toast.tsx';
import './toasts.css';

declare module 'notistack' {
  interface VariantOverrides {
    toast: { notification: Notification };
  }
}

/** Shows the notifications: top right, the newest in front, each with a bar that runs out. */
export default function NotifyHost() {
  useEffect(() => {
    showWaiting();
    return useNotifications.subscribe(showWaiting);
  }, []);
  return (
    <SnackbarProvider
      maxSnack={4}
      classes={{ containerRoot: 'toasts' }}
      anchorOrigin={{ vertical: 'top', horizontal: 'right' }}
      // The toast counts its own time: it knows how much was left when the pointer came.
      autoHideDuration={null}
      disableWindowBlurListener
      Components={{ toast: Toast }}
    />
  );
}

function showWaiting(): void {
  for (const notification of useNotifications.getState().take()) show(notification);
}

function show(notification: Notification): void {
  enqueueSnackbar(notification.message, { key: notification.id, variant: 'toast', notification });
}
