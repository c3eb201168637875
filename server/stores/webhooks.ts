import type { Webhook } from '../../src/domain/protocol/webhooks.ts';

/** A delivery that is due, claimed by the caller for a while. */
export interface DueDelivery {
  /** Identifies the message, however often it is sent. */
  readonly messageId: string;
  readonly url: string;
  readonly secret: string;
  /** JSON. */
  readonly body: string;
  /** Attempts before this one. */
  readonly attempts: number;
  readonly createdAt: string;
}

/** The outcome of an attempt. */
export type Attempted =
  | { readonly outcome: 'delivered'; readonly status: number }
  | { readonly outcome: 'retry'; readonly at: number; readonly status?: number; readonly problem: string }
  | { readonly outcome: 'given-up'; readonly status?: number; readonly problem: string };

/**
 * The addresses that are told of changes: an outbox of this server. What has changed since an address was last told becomes a
 * delivery in one transaction with the note that it was, so that every change is told and none under two ids.
 */
export interface Webhooks {
  list(): Promise<Webhook[]>;
  /** Adds an address, which is told of changes from now on. Returns its secret. */
  add(url: string): Promise<string>;
  /** Removes an address with its deliveries and returns it. Throws 404. */
  remove(id: string): Promise<string>;
  /** Makes deliveries of what has changed. */
  gather(): Promise<void>;
  /** Claims the oldest undelivered message of each address if it is due. `until` is epoch milliseconds. */
  claimDue(until: number): Promise<DueDelivery[]>;
  note(messageId: string, attempted: Attempted): Promise<void>;
  /** Makes a message due again under its own id. Throws 404. */
  sendAgain(messageId: string): Promise<void>;
  /** When the next message is due, in epoch milliseconds. */
  nextDue(): Promise<number | undefined>;
}
