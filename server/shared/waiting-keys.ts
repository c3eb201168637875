/** Keys of batched changes that are queued or running: their outcome is not known yet. */
export interface WaitingKeys {
  /** Registers the keys of a batch. */
  add(userId: number, keys: readonly string[]): Promise<WaitingBatch>;
  has(userId: number, key: string): Promise<boolean>;
}

/** The keys of one batch. */
export interface WaitingBatch {
  /** Keys already registered by another batch of this sender. */
  readonly elsewhere: ReadonlySet<string>;
  /** Throws 409 if someone has been told meanwhile that this key is unknown: the change must not run any more. */
  confirm(key: string): Promise<void>;
  /** Removes a key whose change has finished. */
  done(key: string): Promise<void>;
  /** Removes all remaining keys. */
  end(): Promise<void>;
}

/** Keys in the memory of a single process. */
export function waitingHere(): WaitingKeys {
  /** The number of batches per key. */
  const counts = new Map<string, number>();
  const remove = (name: string) => {
    const left = (counts.get(name) ?? 0) - 1;
    if (left > 0) counts.set(name, left);
    else counts.delete(name);
  };
  return {
    async add(userId, keys) {
      const elsewhere = new Set(keys.filter((key) => counts.has(nameOf(userId, key))));
      const left = new Set(keys);
      for (const name of [...left].map((key) => nameOf(userId, key))) counts.set(name, (counts.get(name) ?? 0) + 1);
      const done = async (key: string) => {
        if (left.delete(key)) remove(nameOf(userId, key));
      };
      const end = async () => {
        for (const key of left) await done(key);
      };
      return { elsewhere, confirm: async () => undefined, done, end };
    },
    has: async (userId, key) => counts.has(nameOf(userId, key)),
  };
}

function nameOf(userId: number, key: string): string {
  return `${userId}/${key}`;
}
