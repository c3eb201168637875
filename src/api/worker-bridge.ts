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

/** The page's side of all messages with the worker. */

/** How long the page stays idle for a handover. Then it keeps the old version and offers the new one again. Milliseconds. */
const KEEP_STILL = 60_000;
/** Time for the screen to load the results of the last sent change, such as its picture. Milliseconds. */
const SETTLED = 1_000;
const LOOK_AGAIN = 250;
/** How often the page checks for a new version. Milliseconds. */
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

/** Hints that something may be pending. */
export const wake = waker.wake;

/** Registers the worker and wakes the sender from now on. Called once, at page start. */
export function startSender(): void {
  // the page may have become visible, or the network returned, before these listeners existed
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

/** Probes when the page becomes visible, however long the backoff is. */
function wakeAtLook(): void {
  wake({ linkReturned: !document.hidden });
}

/**
 * Activates the waiting version and reloads the page. Call it only if no form would be lost. A browser replaces a worker
 * only while the old one is idle, and every message or request of a page wakes it, so this page stays idle. A request during
 * the shutdown restarts the old worker for half a minute, so the handover starts only when everything is quiet.
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

/** True while a change is in flight. False if unknown: the new version must not wait for code the old one cannot load. */
async function isSending(): Promise<boolean> {
  try {
    return (await (await device()).queueState()).sendingId !== undefined;
  } catch (failure) {
    console.warn('Cannot read what is being sent.', failure);
    return false;
  }
}

async function registerWorker(): Promise<void> {
  if (!('serviceWorker' in navigator)) return;
  const { Workbox } = await import('workbox-window');
  workbox = new Workbox(workerAddress(), import.meta.env.DEV ? { type: 'module' } : {});
  workbox.addEventListener('waiting', () => noteUpdate('waiting'));
  // If another tab accepted the update or the handover came late, this page keeps its old code until it is reloaded.
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
