import { inFlight } from '../../errors/refusal.ts';
import type { Writing } from './tables.ts';

/** Keys are scoped to their sender: the same key from someone else is another key. */
export interface SendersKey {
  readonly userId: number;
  readonly key: string;
}

/** Asserts, in the transaction of a change, that nobody has been told meanwhile that it is not in flight. Throws 409. */
export type Confirm = (writing: Writing) => Promise<void>;

/** Changes in flight, by their key. */
export interface Running {
  /** Runs a task exclusively for its key. Throws 409 if one is in flight. */
  alone<T>(key: SendersKey, task: (confirm: Confirm) => Promise<T>): Promise<T>;
  /** Throws 409 while a change with the key is in flight. */
  requireFree(key: SendersKey): Promise<void>;
}

/** The changes in flight if this process is the only one on its database. */
export function runningHere(): Running {
  const names = new Set<string>();
  const requireFree = (key: SendersKey) => {
    if (names.has(nameOf(key))) throw inFlight();
  };
  return {
    async alone(key, task) {
      requireFree(key);
      const name = nameOf(key);
      names.add(name);
      try {
        return await task(async () => undefined);
      } finally {
        names.delete(name);
      }
    },
    requireFree: async (key) => requireFree(key),
  };
}

function nameOf({ userId, key }: SendersKey): string {
  return `${userId}/${key}`;
}
