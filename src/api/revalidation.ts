import type { Change } from '../domain/outbox/vocabulary.ts';
import { identityKey } from '../domain/outbox/optimistic-view.ts';
import { isSingle } from '../domain/resource.ts';
import { resourceOf } from '../domain/resources/index.ts';
import { lastHeard, onAnswer, onReturn, useConnection } from '../stores/connection.ts';
import { useSession } from '../stores/session.ts';
import { refreshUser } from './auth.ts';
import { refreshCapabilities } from './capabilities.ts';
import { ApiFailure } from './failure.ts';
import { liveIdentities, liveQueueState } from './live.ts';
import { followSettled } from './confirmed-overlay.ts';
import { bringUpToDate, listCopy, openRecordCopy, recordCopy, refreshWatched } from './sources.ts';
import { wake } from './worker-bridge.ts';

/** A copy that a screen shows is asked for again when somebody returns to it after this long. Milliseconds. */
const STALE = 60_000;
/** How often a server that did not answer is asked whether it is back, while somebody looks. Milliseconds. */
const PROBE = 15_000;
/** After this long without a request, "Online" is worth asking about. Milliseconds. */
const SILENCE = 60_000;

/** Asks again for the list, the record or the settings that a confirmed change concerns. */
export function followConfirmed(): void {
  followSettled(async ({ change, receipt }) => {
    const resource = resourceOf(change.resource);
    if (isSingle(resource)) return recordCopy(resource, resource.only).refreshAnew();
    const id = receipt?.serverId ?? serverIdOf(change);
    const record = id === undefined || change.op === 'delete' ? undefined : openRecordCopy(resource, id);
    await Promise.all([listCopy(resource).refreshAnew(), record?.refreshAnew()]);
  });
}

function serverIdOf(change: Change): number | undefined {
  const id = liveIdentities.value()?.get(identityKey(change.resource, change.recordId)) ?? Number(change.recordId);
  return Number.isInteger(id) ? id : undefined;
}

/** Asks again for what is on screen, and what its reader may do, when somebody returns to the page; and when the connection does. */
export function refreshOnReturn(): void {
  let leftAt = Date.now();
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) leftAt = Date.now();
    else {
      if (Date.now() - leftAt > STALE) {
        refreshWatched();
        if (useSession.getState().token !== undefined) void quietly(refreshUser());
      }
      void bringUpToDate();
    }
  });
  onReturn(() => {
    wake({ linkReturned: true });
    refreshWatched();
    void bringUpToDate();
  });
}

/**
 * Asks now and then whether a server that was away is back, and, after some silence, whether it is still there: a radio that
 * stays on tells nothing of it. Only while somebody looks.
 */
export function probeServer(): void {
  setInterval(() => {
    const { radio, answers } = useConnection.getState();
    const unsure = !answers || Date.now() - lastHeard() > SILENCE;
    if (radio && unsure && !document.hidden) void refreshCapabilities();
  }, PROBE);
}

/** Whatever the server answers to this page ends the queue's wait for the link: the chip would go on saying "Offline". */
export function followAnswers(): void {
  onAnswer(() => {
    const { pause } = liveQueueState.value() ?? {};
    if (pause?.cause === 'unreachable' && Date.now() < (pause.until ?? 0)) wake({ answered: true });
  });
}

/** The sender was told that its session is dead: the page finds out by itself whether that is so. */
export function followSignedOutSender(): void {
  liveQueueState.subscribe(() => {
    const { token, ended } = useSession.getState();
    const refused = liveQueueState.value()?.pause?.cause === 'signed-out';
    if (refused && token !== undefined && !ended) void quietly(refreshUser());
  });
}

async function quietly(request: Promise<unknown>): Promise<void> {
  try {
    await request;
  } catch (failure) {
    // What it means is in the connection and the session already.
    if (!(failure instanceof ApiFailure)) throw failure;
  }
}
