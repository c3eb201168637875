import type { Persistence } from '../../offline/storage/persistence.ts';
import { formatSize } from '../../ui/format.ts';
import { t } from '../../language/t.ts';

/** What decides whether this device can work a week without a connection. Absent: it could not be read. */
export interface DeviceState {
  readonly persistence: Persistence | undefined;
  /** The browser has just been asked to keep the data. */
  readonly asked: boolean;
  /** A worker is active, which opens the app without a connection. */
  readonly hasWorker: boolean | undefined;
  /** What the browser still lets this app store, in bytes. */
  readonly free: number | undefined;
}

/** What a press can do about a reason: ask the browser to keep the data, or reload the page. */
export type Remedy = 'ask' | 'reload';

export interface Reason {
  readonly subject: string;
  readonly state: 'good' | 'bad' | 'unknown';
  readonly text: string;
  readonly remedy?: Remedy;
}

export interface Readiness {
  /** The worst of the reasons. */
  readonly state: Reason['state'];
  readonly verdict: string;
  readonly reasons: readonly Reason[];
  /** The first thing that a press can mend. */
  readonly remedy?: Remedy;
}

/** The space to have for a week's work: some hundred photos. Bytes. */
const WEEK_OF_WORK = 500_000_000;

/** Whether this device is safe for a week without a connection, with the three reasons, in the user's language. */
export function readinessOf(device: DeviceState): Readiness {
  const reasons = [keeping(device), opening(device), space(device)];
  const states = new Set(reasons.map(({ state }) => state));
  const state = states.has('bad') ? 'bad' : states.has('unknown') ? 'unknown' : 'good';
  const remedy = reasons.find((reason) => reason.remedy !== undefined)?.remedy;
  return { state, verdict: verdictOf(state), reasons, ...(remedy && { remedy }) };
}

function verdictOf(state: Reason['state']): string {
  if (state === 'good') return t('This device is safe for a week offline');
  if (state === 'bad') return t('This device is not ready for a week offline yet');
  return t('This browser does not say whether a week offline is safe');
}

function keeping({ persistence, asked }: DeviceState): Reason {
  const subject = t('What you save stays');
  if (persistence === 'granted') return { subject, state: 'good', text: t('The browser has promised to keep it.') };
  const remedy = asked ? {} : ({ remedy: 'ask' } as const);
  if (persistence !== 'refused') {
    return { subject, state: 'unknown', text: t('This browser makes no promise about it.'), ...remedy };
  }
  const text = asked
    ? t('The browser declined. Send your changes soon, or install Voltdesk: installed apps keep their data.')
    : t('The browser may delete it when storage runs low.');
  return { subject, state: 'bad', text, ...remedy };
}

function opening({ hasWorker }: DeviceState): Reason {
  const subject = t('Opens without a connection');
  if (hasWorker === undefined) return { subject, state: 'unknown', text: t('This could not be checked.') };
  if (hasWorker) return { subject, state: 'good', text: t('The whole app is stored on this device.') };
  const text = t('The app is not stored on this device yet. Load it once more while you are online.');
  return { subject, state: 'bad', text, remedy: 'reload' };
}

function space({ free }: DeviceState): Reason {
  const subject = t('Room for photos and changes');
  if (free === undefined) return { subject, state: 'unknown', text: t('This browser does not say how much is free.') };
  if (free >= WEEK_OF_WORK) return { subject, state: 'good', text: t('{size} free', { size: formatSize(free) }) };
  const advice = t('Space that other apps, downloads and photos take is freed in the settings of this device.');
  return { subject, state: 'bad', text: `${t('Only {size} free.', { size: formatSize(free) })} ${advice}` };
}
