/** Runs tasks of the same name one after the other, in order. */
export class Turns {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Runs a task after all earlier tasks of `name` have finished. */
  async run<T>(name: string, task: () => Promise<T>): Promise<T> {
    const before = this.#last.get(name) ?? Promise.resolve();
    const running = before.then(task, task);
    const settled = running.catch(() => undefined);
    this.#last.set(name, settled);
    try {
      return await running;
    } finally {
      if (this.#last.get(name) === settled) this.#last.delete(name);
    }
  }
}
