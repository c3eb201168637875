import type { Change } from '../domain/outbox/vocabulary.ts';
import { identityKey } from '../domain/outbox/optimistic-view.ts';
import { isSingle } from '../domain/resource.ts';
import { isKnownKind, resourceOf } from '../domain/resources/index.ts';
import { lastHeard, noteAnswer, onAnswer, onReturn, useConnection } from '../stores/connection.ts';
import { useSession } from '../stores/session.ts';
import { refreshUser } from './auth.ts';
import { refreshCapabilities } from './capabilities.ts';
import { ApiFailure } from './failure.ts';
import { liveIdentities, liveQueueState, resetQueries } from './live.ts';
import { followSettled } from './confirmed-overlay.ts';
import { bringUpToDate, listCopy, openRecordCopy, recordCopy, refreshWatched } from './sources.ts';
import { wake } from './worker-bridge.ts';

/** Absence after which a return to the page refreshes the shown copies. Milliseconds. */
const STALE = 60_000;
/** How often an unreachable server is probed while the page is visible. Milliseconds. */
const PROBE = 15_000;
/** How long a probe waits. A request on a stalled link neither fails nor ends by itself. Milliseconds. */
const PATIENCE = 20_000;
/** Time without an answer after which "Online" is verified. Milliseconds. */
const SILENCE = 60_000;

/** Revalidates the list, record or settings that a confirmed change affects. The changes are those of the signed-in user. */
export function followConfirmed(): void {
  useSession.subscribe(({ user }, before) => {
    if (user?.id !== before.user?.id) resetQueries();
  });
  followSettled(async ({ change, receipt }) => {
    if (!isKnownKind(change.resource)) return;
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

/** Refreshes the shown data and the user's rights on a return to the page, and the data when the connection returns. */
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
 * Periodically checks whether an unreachable server is back and, after some silence, whether it is still reachable: the
 * browser's network state says nothing about that. Only while the page is visible.
 */
export function probeServer(): void {
  let isProbing = false;
  setInterval(() => {
    const { radio, answers } = useConnection.getState();
    const unsure = !answers || Date.now() - lastHeard() > SILENCE;
    if (!radio || !unsure || document.hidden || isProbing) return;
    isProbing = true;
    void probe().finally(() => (isProbing = false));
  }, PROBE);
}

/** Asks once, and gives up in time: an open request would occupy one of the connections that the sender needs. */
async function probe(): Promise<void> {
  const probing = new AbortController();
  const timer = setTimeout(() => {
    probing.abort();
    noteAnswer(false);
  }, PATIENCE);
  await refreshCapabilities(probing.signal);
  clearTimeout(timer);
}

/** Ends the queue's wait for the link when the server answers this page, so that the chip does not still say "Offline". */
export function followAnswers(): void {
  onAnswer(() => {
    const { pause } = liveQueueState.value() ?? {};
    if (pause?.cause === 'unreachable' && Date.now() < (pause.until ?? 0)) wake({ answered: true });
  });
}

/** Checks the session when the server has rejected the sender's. */
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
    // The connection and session stores already know.
    if (!(failure instanceof ApiFailure)) throw failure;
  }
}
