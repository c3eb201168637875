/** Runs a task when its turn comes. */
export type Limited = <T>(task: () => Promise<T>) => Promise<T>;

/** Work that takes turns. */
export interface Turns {
  /** In order, so many at the same time. */
  readonly soon: Limited;
  /** One at a time, begun only while no other runs. What is begun is finished, so a task should be short. */
  readonly whenIdle: Limited;
}

/** Two queues for one resource: what somebody waits for, and what can wait. */
export function turns(most: number): Turns {
  const urgent = queue(() => urgent.running() < most);
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
    /** Starts what may be started. */
    start() {
      while (waiting.length > 0 && mayStart()) {
        running += 1;
        waiting.shift()?.();
      }
    },
    /** Runs a task in its turn; `onChange` is called whenever something may start. */
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
