import { createHash } from 'node:crypto';
import type { Scheduler } from './scheduler.ts';

/**
 * The few machine facilities that the code under test uses directly instead of through its environment: IndexedDB's tasks,
 * Dexie's timers, bytes of blobs, hashes. While a world runs they belong to its scheduler, so that nothing depends on the
 * machine's clock.
 */

let world: Scheduler | undefined;

const { setImmediate: realImmediate, setTimeout: realTimeout, clearTimeout: realClear } = globalThis;
const realDigest = crypto.subtle.digest.bind(crypto.subtle);
const realBytes = Blob.prototype.arrayBuffer;

/** Hands the machine's facilities to a world, or restores them. */
export function ownMachine(scheduler: Scheduler | undefined): void {
  world = scheduler;
}

function virtual(): Scheduler | undefined {
  return world === undefined || world.real ? undefined : world;
}

/** Synchronous: using other threads of the machine would only make the world wait. */
function sha256(data: BufferSource): ArrayBuffer {
  const bytes = data instanceof ArrayBuffer ? new Uint8Array(data) : new Uint8Array(data.buffer);
  return new Uint8Array(createHash('sha256').update(bytes).digest()).buffer;
}

/**
 * Does real work, in the order of the calls, while the world's clock stands still. Callers continue in a task of the world.
 * Otherwise their next call would run in the machine's time and could end at any moment.
 */
function standingStill<T>(scheduler: Scheduler, work: () => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const goOn = (settle: () => void) => scheduler.soon(settle);
    scheduler.soonReally(() =>
      work().then(
        (value) => goOn(() => resolve(value)),
        (failure: unknown) => goOn(() => reject(failure)),
      ),
    );
  });
}

class Cancel {
  readonly cancel: () => void;
  constructor(cancel: () => void) {
    this.cancel = cancel;
  }

  /** No effect: a world ends whether or not timers are left. */
  unref(): this {
    return this;
  }
}

Object.assign(globalThis, {
  setImmediate: (work: (...given: unknown[]) => void, ...given: unknown[]) => {
    const scheduler = virtual();
    if (scheduler === undefined) return realImmediate(work, ...given);
    scheduler.soon(() => work(...given));
    return undefined;
  },
  setTimeout: (work: (...given: unknown[]) => void, milliseconds = 0, ...given: unknown[]) => {
    const scheduler = virtual();
    if (scheduler === undefined) return realTimeout(work, milliseconds, ...given);
    return new Cancel(scheduler.after(milliseconds, () => work(...given)));
  },
  clearTimeout: (handle: unknown) => {
    if (handle instanceof Cancel) handle.cancel();
    else realClear(handle as NodeJS.Timeout);
  },
});

crypto.subtle.digest = (algorithm, data) => {
  const scheduler = virtual();
  return scheduler === undefined ? realDigest(algorithm, data) : standingStill(scheduler, async () => sha256(data));
};

Blob.prototype.arrayBuffer = function arrayBuffer(this: Blob) {
  const scheduler = virtual();
  return scheduler === undefined ? realBytes.call(this) : standingStill(scheduler, () => realBytes.call(this));
};
