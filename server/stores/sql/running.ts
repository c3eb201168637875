import { inFlight } from '../../refusal.ts';
import type { Writing } from './tables.ts';

/** A key is its sender's own: another one's same key is another key. */
export interface SendersKey {
  readonly userId: number;
  readonly key: string;
}

/** Makes sure, in the transaction of a change, that nobody has been told meanwhile that it is not under way. Throws 409. */
export type Confirm = (writing: Writing) => Promise<void>;

/** Changes that are being carried out, by their key. */
export interface Running {
  /** Runs a task that no other with the same key may overlap. Throws 409 when one is running. */
  alone<T>(key: SendersKey, task: (confirm: Confirm) => Promise<T>): Promise<T>;
  /** Throws 409 while a change is being carried out under that key. */
  requireFree(key: SendersKey): Promise<void>;
}

/** Of the only process that works on its database. */
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
