import { useEffect, useState } from 'react';
import { say } from '../language/t.ts';
import { type Notification, useNotifications } from '../stores/notifications.ts';
import { Button } from '../ui/button.tsx';

/** How long a message stays, which is as long as it can be undone. Milliseconds. */
const TIME = 6000;

/** Shows the latest message in plain form if the code of the toasts cannot be loaded. */
export function PlainNotice() {
  const [notice, setNotice] = useState<Notification>();
  useEffect(() => {
    const show = () => {
      const newest = useNotifications.getState().take().at(-1);
      if (newest !== undefined) setNotice(newest);
    };
    show();
    return useNotifications.subscribe(show);
  }, []);
  useEffect(() => {
    if (notice === undefined) return undefined;
    const timer = setTimeout(() => setNotice(undefined), TIME);
    return () => clearTimeout(timer);
  }, [notice]);
  if (notice === undefined) return null;
  const { message, kind, action } = notice;
  const act = () => {
    action?.run();
    setNotice(undefined);
  };
  return (
    <div className="plain-notice" role={kind === 'error' ? 'alert' : 'status'}>
      {say(message)}
      {action && <Button onClick={act}>{action.label}</Button>}
    </div>
  );
}
