/** Keys of changes that wait for their turn in a batch, or have it: they are neither surely carried out nor surely not. */
export class WaitingKeys {
  /** How many batches each one waits in. */
  readonly #counts = new Map<string, number>();

  add(userId: number, keys: readonly string[]): void {
    for (const name of keys.map((key) => nameOf(userId, key)))
      this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
  }

  has(userId: number, key: string): boolean {
    return this.#counts.has(nameOf(userId, key));
  }

  delete(userId: number, key: string): void {
    const name = nameOf(userId, key);
    const left = (this.#counts.get(name) ?? 0) - 1;
    if (left > 0) this.#counts.set(name, left);
    else this.#counts.delete(name);
  }
}

function nameOf(userId: number, key: string): string {
  return `${userId}/${key}`;
}
