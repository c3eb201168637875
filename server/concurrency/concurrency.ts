import { Refusal } from '../errors/refusal.ts';

/**
 * Runs one look at a time. Calls during a look share the next one: the current one may have begun before a change that they
 * know of.
 */
export function sharedLook<T>(look: () => Promise<T>): () => Promise<T> {
  let current: Promise<unknown> = Promise.resolve();
  let next: Promise<T> | undefined;
  return () => {
    next ??= current.then(() => {
      next = undefined;
      const running = look();
      current = running.catch(() => undefined);
      return running;
    });
    return next;
  };
}

/** Who wants a task, and for how long. */
export interface Wanted {
  /** A name for whoever waits for it. People take turns: nobody waits for all tasks of somebody else. */
  readonly by: string;
  /** Aborted when nobody wants it any more. It then leaves the queue. */
  readonly signal?: AbortSignal;
}

/** Two queues with a common limit. */
export interface Turns {
  /**
   * One task of each person after the other, up to the limit at a time. Throws a Refusal (429) if too many wait, and the
   * signal's reason if a task is not wanted any more before it starts.
   */
  soon<T>(wanted: Wanted, task: () => Promise<T>): Promise<T>;
  /**
   * One at a time, started only while nothing else runs. Tasks are not interrupted and count towards the limit, so they should
   * be short.
   */
  whenIdle<T>(task: () => Promise<T>): Promise<T>;
}

/** Maximum numbers of waiting tasks: of one person, and of all. */
interface Room {
  readonly ofOne: number;
  readonly ofAll: number;
}

const ROOM: Room = { ofOne: 100, ofAll: 500 };
/** Seconds. */
const COME_AGAIN = 10;

/** Two queues for one resource: urgent work, shared fairly between people, and work that can wait. */
export function turns(most: number, room: Room = ROOM): Turns {
  let running = 0;
  const urgent = new FairLine(room);
  const patient: (() => void)[] = [];
  const startNext = () => {
    for (let start = urgent.next(running < most); start !== undefined; start = urgent.next(running < most)) {
      running += 1;
      start();
    }
    while (running === 0 && patient.length > 0) {
      running += 1;
      patient.shift()?.();
    }
  };
  const run = async <T>(started: Promise<void>, task: () => Promise<T>): Promise<T> => {
    startNext();
    await started;
    try {
      return await task();
    } finally {
      running -= 1;
      startNext();
    }
  };
  return {
    soon: async (wanted, task) => run(urgent.wait(wanted), task),
    whenIdle: (task) => run(new Promise((start) => patient.push(start)), task),
  };
}

/** The tasks that wait, one line for each person. */
class FairLine {
  readonly #room: Room;
  /** Whose turn is next comes first. */
  readonly #lines = new Map<string, (() => void)[]>();
  #length = 0;

  constructor(room: Room) {
    this.#room = room;
  }

  /** Resolves when it is this one's turn. */
  wait({ by, signal }: Wanted): Promise<void> {
    signal?.throwIfAborted();
    const line = this.#lines.get(by) ?? [];
    if (line.length >= this.#room.ofOne || this.#length >= this.#room.ofAll) throw tooBusy();
    this.#lines.set(by, line);
    this.#length += 1;
    return new Promise((resolve, reject) => {
      const start = () => {
        signal?.removeEventListener('abort', leave);
        resolve();
      };
      const leave = () => {
        this.#remove(by, start);
        reject(signal?.reason);
      };
      line.push(start);
      signal?.addEventListener('abort', leave, { once: true });
    });
  }

  /** Takes the next task out of its line, if one may start. */
  next(mayStart: boolean): (() => void) | undefined {
    const [first] = this.#lines;
    if (!mayStart || first === undefined) return undefined;
    const [by, [start]] = first;
    if (start !== undefined) this.#remove(by, start);
    const rest = this.#lines.get(by);
    if (rest !== undefined) {
      // behind everybody else
      this.#lines.delete(by);
      this.#lines.set(by, rest);
    }
    return start;
  }

  #remove(by: string, start: () => void): void {
    const line = this.#lines.get(by) ?? [];
    const at = line.indexOf(start);
    if (at < 0) return;
    line.splice(at, 1);
    this.#length -= 1;
    if (line.length === 0) this.#lines.delete(by);
  }
}

function tooBusy(): Refusal {
  const message = `The server has too much to do at this moment. Please try again in ${COME_AGAIN} seconds.`;
  return new Refusal(429, { message, code: 'too-busy' }, { 'Retry-After': String(COME_AGAIN) });
}
