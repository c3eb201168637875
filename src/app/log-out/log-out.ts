import { signOut } from '../../api/auth.ts';
import { countKept, hasBackups, isSharedDevice, removeKept } from '../../api/kept.ts';
import { outbox } from '../../api/outbox.ts';
import { told, toldDone } from '../../resource/told.ts';
import { isOnline, useConnection } from '../../stores/connection.ts';
import { notify } from '../../stores/notifications.ts';
import { useSession } from '../../stores/session.ts';
import { useServerAbilities } from '../../stores/server-abilities.ts';
import { abandonUnsavedWork } from '../../stores/unsaved.ts';
import { choose, confirm } from '../../ui/confirm.tsx';

import { askToLeave } from '../leaving.ts';
import { msg, say, t } from '../../language/t.ts';

/** How long "Send now" may take before the question is asked again. Milliseconds. */
const PATIENCE = 20_000;
const LOOK_AGAIN = 300;

const STILL_SIGNED_IN = msg('You are still signed in.');

let leaving: Promise<boolean> | undefined;

/** Logs out, after asking about unsaved work and pending changes. Resolves to whether the session ended. One at a time. */
export function logOut(): Promise<boolean> {
  leaving ??= leave().finally(() => {
    leaving = undefined;
  });
  return leaving;
}

async function leave(): Promise<boolean> {
  const { user } = useSession.getState();
  if (user === undefined || !(await askToLeave()) || !(await askWithoutConnection())) return false;
  const policy = await told(settleQueue(String(user.id)), say(STILL_SIGNED_IN));
  if (policy === undefined) return false;
  const kept = await told(settleKept(String(user.id)), say(STILL_SIGNED_IN));
  if (kept === undefined) return false;
  if (!(await toldDone(outbox.leave(String(user.id), policy), say(STILL_SIGNED_IN)))) return false;
  if (kept === 'remove' && !(await toldDone(removeKept(String(user.id)), say(STILL_SIGNED_IN)))) return false;
  abandonUnsavedWork();
  const message = await told(signOut(), say(STILL_SIGNED_IN));
  if (message === undefined) return false;
  notify(message, { kind: 'done' });
  return true;
}

/** Decides about confirmed changes that are in no backup yet. Undefined means stay signed in. */
async function settleKept(administrator: string): Promise<'keep' | 'remove' | undefined> {
  if (useServerAbilities.getState().kept !== true) return 'keep';
  const count = await countKept(administrator);
  if (count === 0) return 'keep';
  const isShared = await isSharedDevice(administrator);
  // a server without backups never says that one holds it, and the question would come with each log-out
  if (!(await hasBackups(administrator))) return isShared ? 'remove' : 'keep';
  const look = (isDefault: boolean) => (isDefault ? 'primary' : 'plain');
  const choice = await choose({
    title: t('{count, plural, one {# sent change is} other {# sent changes are}} in no backup yet', { count }),
    text: t(
      '{count, plural, one {It is on the server. A copy stays on this device until it is in a backup, so that it can be sent again if the server is lost.} other {They are on the server. Copies stay on this device until they are in a backup, so that they can be sent again if the server is lost.}} Only you can see or send it.',
      { count },
    ),
    choices: [
      { key: 'stay', label: t('Cancel'), look: 'plain' },
      { key: 'remove', label: t('Remove from this device'), look: look(isShared) },
      { key: 'keep', label: t('Keep on this device'), look: look(!isShared) },
    ],
  });
  return choice === 'stay' ? undefined : choice;
}

/** Warns before an offline log-out, because signing in again needs a connection. */
async function askWithoutConnection(): Promise<boolean> {
  if (isOnline(useConnection.getState())) return true;
  return confirm({
    title: t('Log out without a connection?'),
    text: t('Signing in needs a connection. Until it returns, nobody can use Voltdesk on this device.'),
    confirmLabel: t('Log out'),
    cancelLabel: t('Stay signed in'),
    destructive: true,
  });
}

/** Decides about pending changes: send first, keep or discard. Undefined means stay signed in. */
async function settleQueue(administrator: string): Promise<'keep' | 'discard' | undefined> {
  const waiting = await outbox.waitingFor(administrator);
  if (waiting === 0) return 'keep';
  const changes = t('{count, plural, one {# change} other {# changes}}', { count: waiting });
  const online = isOnline(useConnection.getState());
  const choice = await choose({
    title: t('{changes} not sent yet', { changes }),
    text: online
      ? t(
          '{count, plural, one {You can send it now, keep it on this device until you sign in again, or discard it.} other {You can send them now, keep them on this device until you sign in again, or discard them.}}',
          { count: waiting },
        )
      : t(
          '{count, plural, one {You can keep it on this device until you sign in again, or discard it.} other {You can keep them on this device until you sign in again, or discard them.}}',
          { count: waiting },
        ),
    choices: [
      { key: 'stay', label: t('Cancel'), look: 'plain' },
      { key: 'discard', label: t('Discard'), look: 'plain' },
      // nothing can be sent without a connection
      ...(online
        ? ([
            { key: 'keep', label: t('Keep until I sign in'), look: 'plain' },
            { key: 'send', label: t('Send now'), look: 'primary' },
          ] as const)
        : ([{ key: 'keep', label: t('Keep until I sign in'), look: 'primary' }] as const)),
    ],
  });
  if (choice === 'stay') return undefined;
  if (choice === 'send') return (await sendAll(administrator)) ? 'keep' : settleQueue(administrator);
  if (choice === 'discard') return (await confirmDiscard(changes, waiting)) ? 'discard' : undefined;
  return choice;
}

function confirmDiscard(changes: string, count: number): Promise<boolean> {
  return confirm({
    title: t('Discard {changes}?', { changes }),
    text: t(
      '{count, plural, one {It won’t be sent and can’t be restored.} other {They won’t be sent and can’t be restored.}} Anything that has already reached the server stays there.',
      { count },
    ),
    confirmLabel: t('Discard'),
    destructive: true,
  });
}

/** Sends pending changes. Returns false if some remain after the time-out or need the administrator. */
async function sendAll(administrator: string): Promise<boolean> {
  await outbox.sendNow();
  const giveUpAt = Date.now() + PATIENCE;
  while (Date.now() < giveUpAt) {
    if ((await outbox.waitingFor(administrator)) === 0) return true;
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN));
  }
  notify(t('Not everything could be sent.'), { kind: 'error' });
  return false;
}
