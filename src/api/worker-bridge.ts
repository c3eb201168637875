import type { Workbox } from 'workbox-window';
import { ANTI_FORGERY_COOKIE } from '../domain/protocol/anti-forgery.ts';
import { onLinkType } from '../offline/storage/link-type.ts';
import type { PageMessage, WorkerMessage } from '../offline/sender/worker-messages.ts';
import { noteUpdate, updateState } from '../stores/app-update.ts';
import { device } from './device.ts';
import { pageCookie } from './page-parts.ts';
import { pause } from './pause.ts';
import { createWaker, LOOK_EVERY } from './waker.ts';
import { workerAddress } from './worker-address.ts';

/** The page's side of all talk with the worker. */

/** So long the page keeps still for a new version; then it goes on with the old one, and offers the new one again. Milliseconds. */
const KEEP_STILL = 60_000;
/** What a change that has just been sent brings to the screen, its picture for one, is loaded by then. Milliseconds. */
const SETTLED = 1_000;
const LOOK_AGAIN = 250;
/** How often a new version is asked for, in milliseconds. */
const ASK_FOR_UPDATE_EVERY = 60 * 60_000;

let workbox: Workbox | undefined;
let active: ServiceWorker | undefined;

const waker = createWaker({
  device,
  sender: () => import('../offline/sender/drain.ts'),
  worker: () => active,
  isHidden: () => document.hidden,
  cookie: () => pageCookie(ANTI_FORGERY_COOKIE),
  keepsStill: () => updateState() === 'taking',
  report: (failure) => console.warn('The outbox could not be looked at.', failure),
});

/** Hints that there is something to send. */
export const wake = waker.wake;

/** Registers the worker and wakes the sender from now on. Called once, at the start of the page. */
export function startSender(): void {
  // the page was shown, and a radio may have come back, before anybody here listened to it
  registerWorker()
    .catch((failure: unknown) => console.warn('There is no worker; this page sends by itself.', failure))
    .finally(wakeAtLook);
  addEventListener('online', () => wake({ linkReturned: true }));
  onLinkType(wake);
  addEventListener('pageshow', () => wake({ linkReturned: true }));
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) wakeAtLook();
  });
  setInterval(() => void waker.lookAgain(), LOOK_EVERY);
}

/** Somebody who looks is worth a small probe, however long the backoff has grown. */
function wakeAtLook(): void {
  wake({ linkReturned: !document.hidden });
}

/**
 * Exchanges the app for the version that waits, and loads the page anew. To be called when no form would be lost. A browser
 * exchanges workers only while the old one rests, and every message and request of a page wakes it: so this one keeps still. A request
 * that comes while the old one is being ended starts it anew, for half a minute: so the exchange is asked for when all is quiet.
 */
export function applyUpdate(): void {
  if (workbox === undefined) return location.reload();
  noteUpdate('taking');
  setTimeout(() => updateState() === 'taking' && noteUpdate('waiting'), KEEP_STILL);
  const message: WorkerMessage = { type: 'GIVE_WAY', milliseconds: KEEP_STILL };
  active?.postMessage(message, []);
  exchangeWhenQuiet(workbox).catch((failure: unknown) => console.warn('The new version cannot take over.', failure));
}

async function exchangeWhenQuiet(worker: Workbox): Promise<void> {
  while (updateState() === 'taking' && (await isSending())) await pause(LOOK_AGAIN);
  await pause(SETTLED);
  if (updateState() === 'taking') worker.messageSkipWaiting();
}

/** False where that cannot be told: the new version is not to wait for what the old one can no longer load. */
async function isSending(): Promise<boolean> {
  try {
    return (await (await device()).queueState()).sendingId !== undefined;
  } catch (failure) {
    console.warn('What is being sent cannot be told.', failure);
    return false;
  }
}

async function registerWorker(): Promise<void> {
  if (!('serviceWorker' in navigator)) return;
  const { Workbox } = await import('workbox-window');
  workbox = new Workbox(workerAddress(), import.meta.env.DEV ? { type: 'module' } : {});
  workbox.addEventListener('waiting', () => noteUpdate('waiting'));
  // Another tab has agreed to the update, or the exchange came late: this page goes on with its old code until it is loaded anew.
  workbox.addEventListener('controlling', (event) => {
    if (updateState() === 'taking') location.reload();
    else if (event.isUpdate) noteUpdate('taken');
  });
  const registration = await workbox.register({ immediate: true });
  setInterval(() => void workbox?.update().catch(() => undefined), ASK_FOR_UPDATE_EVERY);
  active = (await navigator.serviceWorker.ready).active ?? undefined;
  navigator.serviceWorker.addEventListener('message', ({ data }: MessageEvent<PageMessage | undefined>) => {
    if (data?.type === 'SEND') waker.sendHere();
  });
  navigator.serviceWorker.addEventListener('controllerchange', () => {
    active = registration?.active ?? navigator.serviceWorker.controller ?? undefined;
  });
}
