/** Lets tasks about the same thing run one after the other, in the order they came. */
export class Turns {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Runs a task when nothing that came before it is at work on `name`. */
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
