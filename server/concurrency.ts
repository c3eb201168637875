/** Queues a task and runs it. */
export type Limited = <T>(task: () => Promise<T>) => Promise<T>;

/** Two queues with a common limit. */
export interface Turns {
  /** In order, up to the limit at a time. */
  readonly soon: Limited;
  /**
   * One at a time, started only while nothing else runs. Tasks are not interrupted and count towards the limit, so they should
   * be short.
   */
  readonly whenIdle: Limited;
}

/** Two queues for one resource: urgent work, and work that can wait. */
export function turns(most: number): Turns {
  const urgent = queue(() => urgent.running() + patient.running() < most);
  const patient = queue(() => urgent.running() + patient.running() === 0);
  const startNext = () => {
    urgent.start();
    patient.start();
  };
  return {
    soon: (task) => urgent.add(task, startNext),
    whenIdle: (task) => patient.add(task, startNext),
  };
}

function queue(mayStart: () => boolean) {
  const waiting: (() => void)[] = [];
  let running = 0;
  return {
    running: () => running,
    /** Starts tasks up to the limit. */
    start() {
      while (waiting.length > 0 && mayStart()) {
        running += 1;
        waiting.shift()?.();
      }
    },
    /** Queues a task. Calls `onChange` whenever a task may start. */
    async add<T>(task: () => Promise<T>, onChange: () => void): Promise<T> {
      const started = new Promise<void>((start) => waiting.push(start));
      onChange();
      await started;
      try {
        return await task();
      } finally {
        running -= 1;
        onChange();
      }
    },
  };
}
