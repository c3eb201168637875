import { createHash } from 'node:crypto';
import type { Scheduler } from './scheduler.ts';

/**
 * The few things of the machine that the code under test reaches past its environment: IndexedDB's turns, Dexie's timers,
 * bytes of blobs, hashes. While a world runs they belong to its scheduler, so that nothing happens by the machine's clock.
 */

let world: Scheduler | undefined;

const { setImmediate: realImmediate, setTimeout: realTimeout, clearTimeout: realClear } = globalThis;
const realDigest = crypto.subtle.digest.bind(crypto.subtle);
const realBytes = Blob.prototype.arrayBuffer;

/** Gives the machine to a world, or takes it back. */
export function ownMachine(scheduler: Scheduler | undefined): void {
  world = scheduler;
}

function virtual(): Scheduler | undefined {
  return world === undefined || world.real ? undefined : world;
}

/** On the spot: the machine's other threads would only make the world wait. */
function sha256(data: BufferSource): ArrayBuffer {
  const bytes = data instanceof ArrayBuffer ? new Uint8Array(data) : new Uint8Array(data.buffer);
  return new Uint8Array(createHash('sha256').update(bytes).digest()).buffer;
}

/**
 * Real work, in the order asked for: the world stands still until it is done. Whoever waits for it goes on in a turn of the world's:
 * within the real one, the next thing asked for would be the machine's own, and end at any moment.
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

  /** A world waits for none of its timers longer than it likes. */
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
