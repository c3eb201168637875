import { outbox } from '../../api/outbox.ts';
import { told } from '../../resource/told.ts';
import { isOnline, useConnection } from '../../stores/connection.ts';
import { notify } from '../../stores/notifications.ts';
import { t } from '../../language/t.ts';

/** Sends what waits. Without a connection, says that nothing can be sent yet: the press would seem to do nothing. */
export async function sendNow(): Promise<void> {
  const asked = await told(
    outbox.sendNow().then(() => true),
    t('Nothing was sent.'),
  );
  if (asked === true && !isOnline(useConnection.getState()))
    notify(t('You’re offline. It will be sent when the connection returns.'), { kind: 'info' });
}
