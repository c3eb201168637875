import { keepStoredSession, refreshUser } from '../api/auth.ts';
import { device } from '../api/device.ts';
import { ApiFailure } from '../api/failure.ts';
import { followFeedOfTabs } from '../api/feed.ts';
import {
  followAnswers,
  followConfirmed,
  followSignedOutSender,
  probeServer,
  refreshOnReturn,
} from '../api/revalidation.ts';
import { refreshSettings } from '../api/settings.ts';
import { adoptTaken } from '../api/sources.ts';
import { startSender } from '../api/worker-bridge.ts';
import { followRadio, onReturn } from '../stores/connection.ts';
import { followOtherTabs, useSession } from '../stores/session.ts';
import { retryPictures } from '../ui/picture.tsx';
import { followBadge } from './badge.ts';
import { guardUnload } from './leaving.ts';
import { whenIdle } from '../ui/when-idle.ts';

/**
 * Starts all background work, which runs for the life of the page. `recovered` resolves to whether the device has decided
 * who is signed in. Nothing is sent before the decision.
 */
export function startBackground(recovered: Promise<boolean>): void {
  followRadio();
  followOtherTabs();
  followFeedOfTabs(adoptTaken);
  guardUnload();
  void recovered.then(decide).then(startSender);
  followConfirmed();
  refreshOnReturn();
  probeServer();
  followAnswers();
  followSignedOutSender();
  followBadge();
  onReturn(retryPictures);
  whenIdle(() => {
    void refreshSettings();
    void confirmUser().then(warmAndFollow);
  });
  warmAfterSignIn();
}

/** Waits for the decision of who is signed in. On a new device, the database code loads after the first screen. */
async function decide(isDecided: boolean): Promise<void> {
  if (!isDecided) await rest();
  void lookForLoss();
  if (!isDecided) await keepStoredSession().catch(cannotKeep);
}

function rest(): Promise<void> {
  return new Promise((resolve) => whenIdle(resolve));
}

function cannotKeep(failure: unknown): void {
  console.error('The device does not keep who is signed in.', failure);
}

/** Prefetches, then starts live updates and further prefetching. No first paint needs that code. */
async function warmAndFollow(): Promise<void> {
  const { warmDevice } = await import('../api/prefetch.ts');
  await warmDevice();
  const { stayUpToDate } = await import('../api/live-feed.ts');
  stayUpToDate(adoptTaken);
  const { keepListPictures } = await import('../resource/list/keep-pictures.ts');
  const { followCatalogues } = await import('../resource/catalogues/keep.ts');
  followCatalogues();
  const { bringCodeReader } = await import('./scan/read-code.ts');
  whenIdle(() => void keepListPictures().then(bringCodeReader).catch(noticeMissing));
}

function noticeMissing(failure: unknown): void {
  console.warn('Not all is kept ahead.', failure);
}

/** Detects that the browser has deleted the outbox. The chip, Home and the outbox show it until it is acknowledged. */
async function lookForLoss(): Promise<void> {
  try {
    await (await device()).noticeLoss();
  } catch (failure) {
    console.error('Cannot read whether changes were lost.', failure);
  }
}

/** Asks the server whose session it is. Without an answer the stored user stays: only a 401 ends the session. */
async function confirmUser(): Promise<void> {
  if (useSession.getState().token === undefined) return;
  try {
    await refreshUser();
  } catch (failure) {
    if (!(failure instanceof ApiFailure)) throw failure;
  }
}

function warmAfterSignIn(): void {
  useSession.subscribe(({ token }, before) => {
    if (token !== undefined && token !== before.token) whenIdle(() => void warmAndFollow());
  });
}
