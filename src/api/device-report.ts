import { writeReport } from '../domain/protocol/devices.ts';
import { device } from './device.ts';
import { liveQueueState } from './live.ts';

/** The name under which the device keeps its own id. */
const ID_KEY = 'voltdesk.device';

/** How long a report holds that says nothing new. Milliseconds. */
const HOLDS = 60 * 60 * 1000;

/** What the server was last told, and when. */
let told: { readonly text: string; readonly waiting: number; readonly at: number } | undefined;

/** What is known for the next report. Undefined before the device has answered. */
let known: { readonly since?: number; readonly used?: number; readonly quota?: number } | undefined;
let isFollowing = false;

/**
 * The report about this device for the next request, as the value of its header, to go with the number of waiting changes. Undefined while the server knows it: a report is sent
 * when something has changed, and once an hour.
 */
export function dueReport(waiting: number): string | undefined {
  follow();
  if (known === undefined) return undefined;
  const text = writeReport({ id: deviceId(), version: buildOfApp(), ...known });
  const isKnown = told?.text === text && told.waiting === waiting && Math.abs(Date.now() - told.at) < HOLDS;
  return isKnown ? undefined : text;
}

/** Notes that the server has received a report, along with the number of waiting changes. */
export function noteReported(text: string, waiting: number): void {
  told = { text, waiting, at: Date.now() };
}

/** Looks at the device whenever the number of waiting changes differs. */
function follow(): void {
  if (isFollowing) return;
  isFollowing = true;
  let waiting: number | undefined;
  liveQueueState.subscribe(() => {
    const now = liveQueueState.value()?.waiting;
    if (now === waiting) return;
    waiting = now;
    void look().catch(() => undefined);
  });
  void look().catch(() => undefined);
}

async function look(): Promise<void> {
  const entries = await (await device()).pendingEntries();
  const oldest = Math.min(...entries.map(({ createdAt }) => createdAt));
  const { usage, quota } = (await navigator.storage?.estimate?.()) ?? {};
  known = {
    ...(entries.length === 0 ? {} : { since: Math.floor(oldest / 1000) }),
    ...(usage === undefined ? {} : { used: coarse(usage) }),
    ...(quota === undefined ? {} : { quota: coarse(quota) }),
  };
}

/** Whole megabytes, in steps of ten from a hundred on, so that a few bytes are no news. */
function coarse(bytes: number): number {
  const megabytes = Math.ceil(bytes / 1_000_000);
  return megabytes < 100 ? megabytes : Math.ceil(megabytes / 10) * 10;
}

/** A random id of this browser's profile. A profile without storage has another one at each start. */
function deviceId(): string {
  const kept = localStorage.getItem(ID_KEY) ?? crypto.randomUUID();
  localStorage.setItem(ID_KEY, kept);
  return kept;
}

/** The build, by the hashes in the names of its entry files, at least one of which changes with every version. */
export function buildOfApp(): string {
  const entries = document.querySelectorAll<HTMLScriptElement>('script[type=module][src]');
  const hashes = [...entries].map(({ src }) => /-([\w-]{6,})\.js$/.exec(src)?.[1] ?? '');
  return hashes.join('.').slice(0, 60) || 'unknown';
}
