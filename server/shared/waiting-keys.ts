/** Keys of changes that wait for their turn in a batch, or have it: they are neither surely carried out nor surely not. */
export interface WaitingKeys {
  /** Lets the keys of a batch wait. */
  add(userId: number, keys: readonly string[]): Promise<WaitingBatch>;
  has(userId: number, key: string): Promise<boolean>;
}

/** The keys of one batch. */
export interface WaitingBatch {
  /** Those that waited in another batch of this sender already. */
  readonly elsewhere: ReadonlySet<string>;
  /** Throws 409 where somebody was told meanwhile that this key does not wait: it must not be carried out any more. */
  confirm(key: string): Promise<void>;
  /** This one waits no longer. */
  done(key: string): Promise<void>;
  /** None of them does. */
  end(): Promise<void>;
}

/** Of the only process that works on its database. */
export function waitingHere(): WaitingKeys {
  /** How many batches each one waits in. */
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
