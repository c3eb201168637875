/** Owners' calls about webhooks. All POSTs send JSON. */
export const WEBHOOKS_PATH = '/api/webhooks';

/** A told delivery of a webhook. Times are ISO 8601. */
export interface WebhookDelivery {
  readonly id: string;
  readonly createdAt: string;
  readonly state: 'waiting' | 'delivered' | 'given-up';
  readonly attempts: number;
  /** The status of the last answer. Absent without an answer. */
  readonly status?: number;
  /** Why the last attempt failed, in words. */
  readonly problem?: string;
  /** When it is tried again. Only while it waits. */
  readonly nextAt?: string;
}

/** An address that is told of changes. */
export interface Webhook {
  readonly id: string;
  readonly url: string;
  readonly createdAt: string;
  /** The latest deliveries, newest first. */
  readonly deliveries: readonly WebhookDelivery[];
}

/** The answer to the creation of a webhook. The secret is told only once. */
export interface MadeWebhook {
  readonly message: string;
  /** Verifies signatures, as in the Standard Webhooks specification. */
  readonly secret: string;
}
