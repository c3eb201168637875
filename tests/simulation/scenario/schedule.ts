import type { ResourceName } from '../../../src/domain/resource.ts';
import type { Estimate } from '../world/environment.ts';
import type { Fault } from '../world/faults.ts';
import { Random } from '../world/random.ts';
import { drawKinds } from './subjects.ts';

/** The events around the outbox, with their relative frequency. */
const WEIGHTS = {
  create: 9,
  'create with many files': 0.15,
  update: 12,
  delete: 4,
  'delete image': 2,
  'save settings': 3,
  undo: 1.5,
  'send now': 1.5,
  attend: 5,
  look: 6,
  'kill worker': 5,
  'kill page': 3,
  'kill browser': 2,
  'open page': 2,
  'worker exchanged': 1,
  'newer app was here': 0.5,
  sync: 1.5,
  'server restarted': 0.4,
  'put away': 1,
  'looked at again': 1.5,
  'wake together': 5,
  'queue carried off': 0.5,
  'queue taken in': 0.8,
  'moved by a file': 0.4,
  'frozen for a while': 1,
  'frozen while sending': 2.5,
  'radio off': 1.5,
  'radio on': 3,
  'sign out': 0.8,
  'sign in': 3,
  'switch user': 0.6,
  'edit elsewhere': 4,
  'delete elsewhere': 0.5,
  'delete image elsewhere': 0.5,
  'settings elsewhere': 1,
  'sleep two days': 0.4,
  'clock set back': 0.3,
  'clock set ahead': 0.3,
  'storage full': 0.5,
  'storage free': 1,
  'storage wiped': 0.1,
  'connection to storage lost': 0.7,
  'file rots': 0.3,
  'older app wrote the queue': 0.4,
  'locks leak': 0.5,
  'cookies gone': 0.5,
  // Drawn separately.
  'form left half filled': 0,
  'transaction never ends': 0,
  'staged files harmed': 0,
  'feed asked': 0,
  'file replaced elsewhere': 0,
  'equal row made elsewhere': 0,
  'saved in a tab left open': 0,
} as const;

export type EventName = keyof typeof WEIGHTS;

export interface Event {
  /** Milliseconds after the start. */
  readonly at: number;
  readonly what: EventName;
  /** Its own seed, so that removing another event does not change it. */
  readonly seed: string;
}

/** A complete run, known in advance. Shrinking removes parts of it. */
export interface Schedule {
  readonly seed: string;
  readonly events: readonly Event[];
  /** The probability that a request fails, from 0 up to 1. */
  readonly faultRate: number;
  /** Requests from this number on succeed. */
  readonly faultsEnd: number;
  /** Fixed faults by request number, which override the drawn ones. Never set in drawn runs. */
  readonly faults?: Readonly<Record<number, Fault>>;
  /** Fixed faults of the first requests that change something, in their order. Never set in drawn runs. */
  readonly faultsOfChanges?: readonly Fault[];
  /** The same of the first reads. */
  readonly faultsOfReads?: readonly Fault[];
  /** Requests that succeed despite the plan. */
  readonly spared: readonly number[];
  readonly pages: number;
  readonly worker: boolean;
  readonly locks: boolean;
  readonly keepsBlobs: boolean;
  /** Defaults to true: a new worker sees the cookies by itself. */
  readonly workerReadsCookies?: boolean;
  /** Defaults to true. */
  readonly backgroundSync?: boolean;
  /** Defaults to `reported`. */
  readonly estimate?: Estimate;
  /** By default a worker needs no page. Milliseconds. */
  readonly workerOutlivesPages?: number;
  /** Sometimes a person picks the same large file as someone else. Never set in drawn runs. */
  readonly sharesFiles?: true;
  /** The resources of the world. Defaults to the usual five. */
  readonly kinds?: readonly ResourceName[];
}

/** Returns the run of a seed. */
export function scheduleOf(seed: string): Schedule {
  const random = new Random(`${seed}/plan`);
  const count = random.between(8, 26);
  const events = Array.from({ length: count }, (_, i): Event => {
    const what = random.weighted<EventName>(WEIGHTS);
    // In bursts: half of the events follow the previous one within a second.
    return {
      at: random.chance(0.5) ? random.between(20, 1_000) : random.between(1_000, 90_000),
      what,
      seed: `${seed}/event/${i}`,
    };
  });
  let at = 500;
  const faultRate = random.pick([0, 0.1, 0.2, 0.3, 0.4]);
  const pages = random.chance(0.4) ? 2 : 1;
  const [worker, locks, keepsBlobs] = [random.chance(0.75), random.chance(0.9), random.chance(0.7)];
  const [workerReadsCookies, backgroundSync] = [random.chance(0.85), random.chance(0.6)];
  const timed = events.map((event) => {
    at += event.at;
    return { ...event, at };
  });
  return {
    seed,
    events: [
      ...timed,
      ...formsLeft(seed, at),
      ...storageHeld(seed, at),
      ...filesHarmed(seed, at),
      ...feedAsked(seed, at),
      ...doneByOthers(seed, at),
    ].toSorted((one, other) => one.at - other.at),
    faultRate,
    faultsEnd: Number.POSITIVE_INFINITY,
    spared: [],
    pages,
    worker,
    locks,
    keepsBlobs,
    workerReadsCookies,
    backgroundSync,
    estimate: random.pick(['reported', 'reported', 'reported', 'missing', 'lying', 'silent'] as const),
    ...(backgroundSync ? {} : { workerOutlivesPages: random.pick([11_000, 60_000]) }),
    kinds: drawKinds(random),
  };
}

/** Half-filled forms, up to a time in milliseconds. Drawn separately: the rest of the run is the same without them. */
function formsLeft(seed: string, until: number): Event[] {
  const random = new Random(`${seed}/forms`);
  const count = random.chance(0.5) ? random.between(1, 3) : 0;
  return Array.from({ length: count }, (_, i): Event => {
    return { at: random.between(500, until), what: 'form left half filled', seed: `${seed}/form/${i}` };
  });
}

/** A transaction that another tab leaves open for a while, in a third of the worlds. Drawn separately, like the forms. */
function storageHeld(seed: string, until: number): Event[] {
  const random = new Random(`${seed}/held`);
  if (!random.chance(0.3)) return [];
  return [{ at: random.between(500, until), what: 'transaction never ends', seed: `${seed}/held/0` }];
}

/** Damage to staged files on the server, in a third of the worlds. Drawn separately, like the forms. */
function filesHarmed(seed: string, until: number): Event[] {
  const random = new Random(`${seed}/harmed`);
  if (!random.chance(0.3)) return [];
  return [{ at: random.between(0, until), what: 'staged files harmed', seed: `${seed}/harmed/0` }];
}

/** The device follows the server's feed, in a quarter of the worlds. Drawn separately, like the forms. */
function feedAsked(seed: string, until: number): Event[] {
  const random = new Random(`${seed}/feed`);
  if (!random.chance(0.25)) return [];
  return Array.from({ length: random.between(4, 12) }, (_, i): Event => {
    return { at: random.between(500, until), what: 'feed asked', seed: `${seed}/feed/${i}` };
  });
}

const BY_OTHERS = ['file replaced elsewhere', 'equal row made elsewhere', 'saved in a tab left open'] as const;

/** What others do to files, with the same texts, or in a tab left open, in a third of the worlds. Drawn separately, like the forms. */
function doneByOthers(seed: string, until: number): Event[] {
  const random = new Random(`${seed}/others`);
  if (!random.chance(0.3)) return [];
  return Array.from({ length: random.between(1, 3) }, (_, i): Event => {
    return { at: random.between(500, until), what: random.pick(BY_OTHERS), seed: `${seed}/others/${i}` };
  });
}
