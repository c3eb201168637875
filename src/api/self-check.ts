import type { Persistence } from '../offline/storage/persistence.ts';
import type { QueuePause } from '../domain/outbox/vocabulary.ts';
import { SYNC_TAG } from '../offline/sender/worker-messages.ts';
import { pageCookie } from './page-parts.ts';
import { ANTI_FORGERY_COOKIE } from '../domain/protocol/anti-forgery.ts';
import { device } from './device.ts';
import { locale, msg, say, t } from '../language/t.ts';

/** A fact about this device, for the user to read out or copy. */
export interface Fact {
  readonly name: string;
  readonly value: string;
}

/** Returns whether the browser promises to keep data saved here. */
export async function readPersistence(): Promise<Persistence> {
  return (await device()).persistence();
}

/** Asks the browser to keep data saved here even when storage runs out. The browser may prompt the user. */
export async function askPersistence(): Promise<Persistence> {
  return (await device()).requestPersistence();
}

/** True if the browser sends with all pages closed, by waking the worker. Safari and Firefox do not. */
export function sendsWhenClosed(): boolean {
  return 'SyncManager' in globalThis;
}

/** Returns the facts that decide whether this device keeps and sends changes. A fact that cannot be determined says so. */
export async function selfCheck(): Promise<Fact[]> {
  return Promise.all([
    fact(t('App build'), async () => buildName()),
    fact(t('Browser'), async () => navigator.userAgent),
    fact(t('Opened as'), async () =>
      matchMedia('(display-mode: standalone)').matches ? t('installed app') : t('browser tab'),
    ),
    fact(t('Storage'), storageWords),
    fact(t('Persistent storage'), async () => say(PERSISTENCE[await readPersistence()])),
    fact(t('Files are stored as'), storedAs),
    fact(t('Worker'), workerWords),
    fact(t('Sends in the background'), async () =>
      sendsWhenClosed() ? t('yes') : t('no: keep Voltdesk open until it says Online'),
    ),
    fact(t('Anti-forgery cookie'), async () =>
      (await pageCookie(ANTI_FORGERY_COOKIE)) === undefined ? t('none') : t('there'),
    ),
    fact(t('Queue'), queueWords),
    fact(t('Last attempt'), async () => moment((await queue()).lastAttemptAt)),
    fact(t('Last confirmed change'), lastArrival),
    fact(t('Clock'), async () => new Date().toLocaleString(locale(), { dateStyle: 'full', timeStyle: 'long' })),
  ]);
}

const PERSISTENCE: Readonly<Record<Persistence, string>> = {
  granted: msg('granted by the browser'),
  refused: msg('not granted: the browser may delete data when storage runs low'),
  unknown: msg('not reported by the browser'),
};

async function fact(name: string, find: () => Promise<string>): Promise<Fact> {
  try {
    return { name, value: await find() };
  } catch (failure) {
    return {
      name,
      value: t('unavailable ({reason})', { reason: failure instanceof Error ? failure.message : String(failure) }),
    };
  }
}

/** Identifies the build by the names of its entry files, at least one of which changes with every version. */
function buildName(): string {
  const entries = document.querySelectorAll<HTMLScriptElement>('script[type=module][src]');
  return [...entries].map(({ src }) => src.split('/').at(-1)).join(', ');
}

async function storageWords(): Promise<string> {
  const { usage, quota } = (await navigator.storage?.estimate?.()) ?? {};
  if (usage === undefined || quota === undefined) return t('not reported by the browser');
  return t('{used} of {quota} MB used (browser’s estimate)', {
    used: megabytes(usage),
    quota: megabytes(quota),
  });
}

async function storedAs(): Promise<string> {
  const { engineOf } = await device();
  return engineOf(navigator.userAgent).keepsBlobs ? t('Blobs') : t('bytes (this browser has lost Blobs)');
}

async function workerWords(): Promise<string> {
  const registration = await navigator.serviceWorker?.getRegistration();
  if (!registration?.active) {
    return registration?.installing ? t('installing: this page sends') : t('none: this page sends');
  }
  const { sync } = registration as { sync?: { getTags(): Promise<string[]> } };
  const asked = (await sync?.getTags())?.includes(SYNC_TAG) === true;
  const parts = [
    say(WORKER_STATES[registration.active.state]),
    registration.waiting && t('a new version is waiting'),
    asked && t('a sync is registered'),
  ];
  return parts.filter(Boolean).join(', ');
}

const WORKER_STATES: Readonly<Record<ServiceWorkerState, string>> = {
  parsed: msg('parsed'),
  installing: msg('installing'),
  installed: msg('installed'),
  activating: msg('activating'),
  activated: msg('activated'),
  redundant: msg('redundant'),
};

async function queue() {
  return (await device()).queueState();
}

async function queueWords(): Promise<string> {
  const { waiting, needAttention, otherAdministratorsWaiting, pause, lossNoticedAt } = await queue();
  const parts = [
    t('{waiting} waiting', { waiting }),
    t('{count} need attention', { count: needAttention }),
    t('{count} from others', { count: otherAdministratorsWaiting }),
    pause && say(PAUSES[pause.cause]),
    lossNoticedAt !== undefined && t('changes were lost'),
  ];
  return parts.filter(Boolean).join(', ');
}

const PAUSES: Readonly<Record<QueuePause['cause'], string>> = {
  unreachable: msg('paused: the server can’t be reached'),
  busy: msg('paused: the server is busy'),
  'signed-out': msg('paused: signed out'),
};

async function lastArrival(): Promise<string> {
  const [latest] = await (await device()).receipts();
  return moment(latest?.receipt?.at);
}

function moment(at: number | undefined): string {
  return at === undefined ? t('never') : new Date(at).toLocaleString(locale());
}

function megabytes(bytes: number): string {
  const tenths = { minimumFractionDigits: 1, maximumFractionDigits: 1 };
  return (bytes / 1024 / 1024).toLocaleString(locale(), tenths);
}
