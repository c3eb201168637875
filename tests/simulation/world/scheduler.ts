import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers';
import type { Random } from './random.ts';

/** A page, a worker or the network: something that runs independently and can be stopped for good. */
export interface Lane {
  readonly name: string;
  alive: boolean;
  /** Frozen by the browser until this time: its tasks wait. Epoch milliseconds. */
  frozenUntil?: number;
}

/** Real work (a server, a hash) takes the machine's time. The world's clock stands still until it is done. */
type RealWork = () => Promise<void>;

type Task = { readonly virtual: () => void } | { readonly real: RealWork };

/** Far more tasks than any world needs. */
const MOST_STEPS = 100_000;

/** The world keeps running tasks without making progress. */
export class RestlessError extends Error {}

interface Timer {
  readonly at: number;
  readonly lane: Lane;
  readonly task: Task;
  off: boolean;
}

/**
 * The world's clock and its only loop. It runs one task at a time, and all its microtasks finish before the next. The next
 * lane is drawn from the seed. When no task is left, the clock jumps to the next timer.
 */
export class Scheduler {
  /** The world's time. Epoch milliseconds. */
  now: number;
  /** The lane of the running task. */
  current: Lane;
  /** True while a task does real work: its timers and tasks are the machine's. */
  real = false;
  steps = 0;
  /** Called before every task, with its lane. */
  beforeTask: (lane: Lane) => void = () => {};
  readonly #random: Random;
  readonly #queues = new Map<Lane, Task[]>();
  #timers: Timer[] = [];
  readonly #idle: Lane = { name: 'clock', alive: true };
  readonly #trace = createHash('sha256');
  /** The trace as text, only if requested. */
  readonly lines: string[] | undefined;

  constructor(random: Random, start: number, keepLines = false) {
    this.#random = random;
    this.now = start;
    this.current = { name: 'world', alive: true };
    this.lines = keepLines ? [] : undefined;
  }

  /** Records an event. The same seed produces the same trace. */
  trace(line: string): void {
    const text = `${this.now} ${line}`;
    this.#trace.update(`${text}\n`);
    this.lines?.push(text);
  }

  /** A hash of the trace so far. */
  traceHash(): string {
    return this.#trace.copy().digest('hex').slice(0, 16);
  }

  /** Schedules work soon, after the lane's earlier tasks. */
  soon(work: () => void, lane: Lane = this.current): void {
    this.#enqueue({ virtual: work }, lane);
  }

  /** Schedules real work soon. */
  soonReally(work: RealWork, lane: Lane = this.current): void {
    this.#enqueue({ real: work }, lane);
  }

  /** Schedules work after this many milliseconds. Returns a function that cancels it. */
  after(milliseconds: number, work: () => void, lane: Lane = this.current): () => void {
    return this.#schedule(milliseconds, { virtual: work }, lane);
  }

  /** Schedules real work after this many milliseconds. Returns a function that cancels it. */
  afterReally(milliseconds: number, work: RealWork, lane: Lane = this.current): () => void {
    return this.#schedule(milliseconds, { real: work }, lane);
  }

  /** Makes the clock stop at this time. */
  #alarm(at: number): void {
    if (this.#timers.some((timer) => timer.at === at)) return;
    this.#schedule(at - this.now, { virtual: () => {} }, this.#idle);
  }

  #enqueue(task: Task, lane: Lane): void {
    if (!lane.alive) return;
    const queue = this.#queues.get(lane);
    if (queue === undefined) this.#queues.set(lane, [task]);
    else queue.push(task);
  }

  #schedule(milliseconds: number, task: Task, lane: Lane): () => void {
    const timer: Timer = { at: this.now + Math.max(0, milliseconds), lane, task, off: false };
    const index = this.#timers.findIndex(({ at }) => at > timer.at);
    if (index < 0) this.#timers.push(timer);
    else this.#timers.splice(index, 0, timer);
    return () => {
      timer.off = true;
    };
  }

  /** Drops all tasks of a lane. */
  stop(lane: Lane): void {
    lane.alive = false;
    this.#queues.delete(lane);
    this.#timers = this.#timers.filter((timer) => timer.lane !== lane);
  }

  /** Runs until the clock passes `until`, or until `finished` returns true between two tasks. */
  async run(until: number, finished: () => boolean = () => false): Promise<void> {
    while (!finished()) {
      const lane = this.#nextLane();
      if (lane === undefined) {
        if (!this.#leap(until)) return;
      } else await this.#step(lane);
    }
  }

  async #step(lane: Lane): Promise<void> {
    const queue = this.#queues.get(lane) ?? [];
    const task = queue.shift();
    if (queue.length === 0) this.#queues.delete(lane);
    this.beforeTask(lane);
    if (task === undefined || !lane.alive) return;
    this.steps += 1;
    if (this.steps > MOST_STEPS) throw new RestlessError(`It has not come to rest after ${MOST_STEPS} turns.`);
    this.current = lane;
    if ('real' in task) {
      this.real = true;
      await task.real();
      this.real = false;
    } else task.virtual();
    await new Promise<void>((resolve) => nextTurn(resolve));
  }

  #nextLane(): Lane | undefined {
    const lanes = [...this.#queues.keys()].filter((lane) => !this.#isFrozen(lane));
    return lanes.length > 1 ? this.#random.pick(lanes) : lanes[0];
  }

  #isFrozen({ frozenUntil }: Lane): boolean {
    return frozenUntil !== undefined && frozenUntil > this.now;
  }

  #leap(until: number): boolean {
    for (const lane of this.#queues.keys()) {
      if (this.#isFrozen(lane)) this.#alarm(lane.frozenUntil ?? this.now);
    }
    const timer = this.#timers.shift();
    if (timer === undefined || timer.at > until) {
      if (timer !== undefined) this.#timers.unshift(timer);
      this.now = Math.max(this.now, until);
      return false;
    }
    if (timer.off || !timer.lane.alive) return true;
    this.now = Math.max(this.now, timer.at);
    this.#enqueue(timer.task, timer.lane);
    return true;
  }
}
