import type { Persistence } from '../offline/storage/persistence.ts';
import { SYNC_TAG } from '../offline/sender/worker-messages.ts';
import { pageCookie } from './page-parts.ts';
import { ANTI_FORGERY_COOKIE } from '../offline/sender/anti-forgery.ts';
import { device } from './device.ts';

/** One fact about this device, for a person to read aloud or to copy. */
export interface Fact {
  readonly name: string;
  readonly value: string;
}

/** What the browser promises to keep of what is saved here. */
export async function readPersistence(): Promise<Persistence> {
  return (await device()).persistence();
}

/** Asks the browser to keep what is saved here, also when it runs out of room. It may put the question to the person. */
export async function askPersistence(): Promise<Persistence> {
  return (await device()).requestPersistence();
}

/** True where a browser sends with every page closed: it wakes the worker by itself. Safari and Firefox do not. */
export function sendsWhenClosed(): boolean {
  return 'SyncManager' in globalThis;
}

/** Everything about this device that decides whether it keeps and sends what is saved. Each fact that cannot be had says so. */
export async function selfCheck(): Promise<Fact[]> {
  return Promise.all([
    fact('App build', async () => buildName()),
    fact('Browser', async () => navigator.userAgent),
    fact('Opened as', async () => (matchMedia('(display-mode: standalone)').matches ? 'installed app' : 'browser tab')),
    fact('Storage', storageWords),
    fact('Kept by the browser', async () => PERSISTENCE[await readPersistence()]),
    fact('Files are stored as', storedAs),
    fact('Worker', workerWords),
    fact('Sends with every page closed', async () =>
      sendsWhenClosed() ? 'yes' : 'no: keep Voltdesk open until Online',
    ),
    fact('Anti-forgery cookie', async () => ((await pageCookie(ANTI_FORGERY_COOKIE)) === undefined ? 'none' : 'there')),
    fact('Queue', queueWords),
    fact('Last attempt', async () => moment((await queue()).lastAttemptAt)),
    fact('Last change that arrived', lastArrival),
    fact('Clock', async () => new Date().toString()),
  ]);
}

const PERSISTENCE: Readonly<Record<Persistence, string>> = {
  granted: 'yes, it has promised to',
  refused: 'no, it may delete it when it runs out of room',
  unknown: 'it does not tell',
};

async function fact(name: string, find: () => Promise<string>): Promise<Fact> {
  try {
    return { name, value: await find() };
  } catch (failure) {
    return { name, value: `cannot be told (${failure instanceof Error ? failure.message : String(failure)})` };
  }
}

/** The names that the build gave its first files: one of them changes with every version. */
function buildName(): string {
  const entries = document.querySelectorAll<HTMLScriptElement>('script[type=module][src]');
  return [...entries].map(({ src }) => src.split('/').at(-1)).join(', ');
}

async function storageWords(): Promise<string> {
  const { usage, quota } = (await navigator.storage?.estimate?.()) ?? {};
  if (usage === undefined || quota === undefined) return 'the browser does not tell';
  return `${megabytes(usage)} MB used of ${megabytes(quota)} MB (as the browser estimates)`;
}

async function storedAs(): Promise<string> {
  const { engineOf } = await device();
  return engineOf(navigator.userAgent).keepsBlobs ? 'Blobs' : 'bytes (this engine has lost Blobs)';
}

async function workerWords(): Promise<string> {
  const registration = await navigator.serviceWorker?.getRegistration();
  if (!registration?.active) return `${registration?.installing ? 'installing' : 'none'}: this page sends`;
  const { sync } = registration as { sync?: { getTags(): Promise<string[]> } };
  const asked = (await sync?.getTags())?.includes(SYNC_TAG) === true;
  const parts = [
    registration.active.state,
    registration.waiting && 'a new version waits',
    asked && 'a sync is asked for',
  ];
  return parts.filter(Boolean).join(', ');
}

async function queue() {
  return (await device()).queueState();
}

async function queueWords(): Promise<string> {
  const { waiting, needAttention, otherAdministratorsWaiting, pause, lossNoticedAt } = await queue();
  const parts = [
    `${waiting} waiting`,
    `${needAttention} need attention`,
    `${otherAdministratorsWaiting} of others`,
    pause && `paused: ${pause.cause}`,
    lossNoticedAt !== undefined && 'changes were lost',
  ];
  return parts.filter(Boolean).join(', ');
}

async function lastArrival(): Promise<string> {
  const [latest] = await (await device()).receipts();
  return moment(latest?.receipt?.at);
}

function moment(at: number | undefined): string {
  return at === undefined ? 'never' : new Date(at).toLocaleString('en-GB');
}

function megabytes(bytes: number): string {
  return (bytes / 1024 / 1024).toFixed(1);
}
