import { CAPABILITIES_PATH } from '../domain/capabilities.ts';
import type { Change, OutboxEntry } from '../domain/outbox/vocabulary.ts';
import { identityKey } from '../domain/outbox/overlay.ts';
import { isOnline, useConnection } from '../stores/connection.ts';
import { useSession } from '../stores/session.ts';
import { refreshUser } from './auth.ts';
import { ApiFailure } from './failure.ts';
import { liveIdentities, liveQueueState, liveReceipts } from './live.ts';
import { get } from './request.ts';
import { listKey, recordKey, refreshCopies, SITE_META_KEY } from './sources.ts';
import { wake } from './worker-bridge.ts';

/** A copy that a screen shows is asked for again when somebody returns to it after this long. Milliseconds. */
const STALE = 60_000;
/** How often a server that did not answer is asked whether it is back, while somebody looks. Milliseconds. */
const PROBE = 15_000;

/** Asks again for every list and record that a confirmed change concerns. */
export function followReceipts(): void {
  let seen: ReadonlySet<string> | undefined;
  liveReceipts.subscribe(() => {
    const receipts = liveReceipts.value() ?? [];
    const fresh = seen === undefined ? [] : receipts.filter(({ id }) => !seen?.has(id));
    seen = new Set(receipts.map(({ id }) => id));
    if (fresh.length > 0) refreshCopies(new Set(fresh.flatMap(keysOf)));
  });
}

function keysOf({ change, receipt }: OutboxEntry): string[] {
  if (change.op === 'save-settings') return [SITE_META_KEY];
  const id = receipt?.serverId ?? serverIdOf(change);
  return [listKey(change.resource), ...(id === undefined ? [] : [recordKey(change.resource, id)])];
}

function serverIdOf(change: Exclude<Change, { op: 'save-settings' }>): number | undefined {
  const id = liveIdentities.value()?.get(identityKey(change.resource, change.recordId)) ?? Number(change.recordId);
  return Number.isInteger(id) ? id : undefined;
}

/** Asks again for what is on screen when somebody returns to the page, and when the connection does. */
export function refreshOnReturn(): void {
  let leftAt = Date.now();
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) leftAt = Date.now();
    else if (Date.now() - leftAt > STALE) refreshCopies('watched');
  });
  useConnection.subscribe((now, before) => {
    if (isOnline(before) || !isOnline(now)) return;
    wake();
    refreshCopies('watched');
  });
}

/** While the server is away, asks now and then whether it is back: a radio that stays on tells nothing of it. */
export function probeServer(): void {
  setInterval(() => {
    const { radio, answers } = useConnection.getState();
    if (radio && !answers && !document.hidden) void quietly(get(CAPABILITIES_PATH));
  }, PROBE);
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
