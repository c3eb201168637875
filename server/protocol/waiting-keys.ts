/** Keys of changes that wait for their turn in a batch: they are neither carried out nor surely not. */
export class WaitingKeys {
  readonly #names = new Set<string>();

  add(userId: number, keys: readonly string[]): void {
    for (const key of keys) this.#names.add(`${userId}/${key}`);
  }

  has(userId: number, key: string): boolean {
    return this.#names.has(`${userId}/${key}`);
  }

  delete(userId: number, key: string): void {
    this.#names.delete(`${userId}/${key}`);
  }
}
