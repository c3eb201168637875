/** Runs a task when its turn comes. */
export type Limited = <T>(task: () => Promise<T>) => Promise<T>;

/** Lets at most `most` tasks run at the same time; the others wait in order. */
export function limited(most: number): Limited {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (task) => {
    if (running >= most) await new Promise<void>((start) => waiting.push(start));
    else running += 1;
    try {
      return await task();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
