import { cacheDatabase } from '../../../src/offline/storage/cache-database.ts';
import type { Environment, StorageRoom } from '../../../src/offline/storage/environment.ts';
import { outboxDatabase } from '../../../src/offline/storage/outbox-database.ts';
import type { IndexedDbWorld } from './indexed-db.ts';
import type { LockWorld } from './locks.ts';
import type { Network } from './network.ts';
import { Random } from './random.ts';
import type { Lane, Scheduler } from './scheduler.ts';

export const OUTBOX = 'simulated-outbox';
const CACHE = 'simulated-cache';
export const DRAFTS = 'simulated-drafts';
const ORIGIN = 'https://simulated.example';

/**
 * How the browser estimates its free storage: `missing` as in Safari before 17, `lying` as WebKit on a full device,
 * `silent` while its storage hangs.
 */
export type Estimate = 'reported' | 'missing' | 'lying' | 'silent';

const LYING = { usage: 0, quota: 10 * 1024 * 1024 * 1024 };

/** Properties of a device. */
export interface DeviceTraits {
  /** False if no worker is available and the pages send. */
  readonly worker: boolean;
  /** False if a worker sees only the cookies that a page passes on. */
  readonly workerReadsCookies: boolean;
  readonly backgroundSync: boolean;
  readonly estimate: Estimate;
  /** The browser ends a worker this many milliseconds after the last page was closed. */
  readonly workerOutlivesPages: number;
  readonly locks: boolean;
  readonly keepsBlobs: boolean;
}

/** What the pages and the worker of a device share. */
interface Shared {
  readonly seed: string;
  readonly traits: DeviceTraits;
  readonly storage: IndexedDbWorld;
  readonly locks: LockWorld;
  readonly notes: Map<string, string>;
  readonly scheduler: Scheduler;
  readonly network: Network;
  /** The current error of the device's clock. Milliseconds. */
  readonly skew: () => number;
  /** The bytes currently free, as the browser estimates. */
  readonly room: () => number;
}

/** The complete environment of a page or a worker of a device. */
export function environmentOf(kind: 'page' | 'worker', lane: Lane, device: Shared): Environment {
  const { seed, traits, scheduler, network, locks, notes } = device;
  const random = new Random(`${seed}/${lane.name}`);
  const databases = device.storage.for(lane);
  return {
    holder: random.uuid(),
    origin: ORIGIN,
    outbox: outboxDatabase(OUTBOX, databases),
    cache: cacheDatabase(CACHE, databases),
    now: () => scheduler.now + device.skew(),
    elapsed: () => scheduler.now,
    random: () => random.next(),
    uuid: () => random.uuid(),
    after: (milliseconds, work) => scheduler.after(milliseconds, work, lane),
    fetch: network.for(lane),
    online: () => network.online,
    cookie: async (name) => (kind === 'worker' && !traits.workerReadsCookies ? undefined : network.jar.read(name)),
    ...(traits.locks ? { locks: locks.for(lane) } : {}),
    room: { ...estimateOf(device), persisted: async () => true, persist: async () => true },
    notes: [
      {
        read: async (key) => (kind === 'page' ? notes.get(key) : undefined),
        write: async (key, value) => {
          if (kind === 'page' && lane.alive) notes.set(key, value);
        },
      },
    ],
    keepsBlobs: traits.keepsBlobs,
  };
}

function estimateOf({ traits: { estimate }, room }: Shared): Pick<StorageRoom, 'estimate'> {
  if (estimate === 'missing') return {};
  if (estimate === 'silent') return { estimate: () => new Promise(() => {}) };
  const reported = async () => (Number.isFinite(room()) ? { usage: 0, quota: room() } : {});
  return { estimate: estimate === 'lying' ? async () => LYING : reported };
}
