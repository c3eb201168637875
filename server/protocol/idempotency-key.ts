import { createHash } from 'node:crypto';
import { Refusal } from '../refusal.ts';
import type { IdempotencyKey } from '../stores/store.ts';
import type { ReceivedForm } from '../uploads/form.ts';

/** What a change is recognized by. */
export interface Payload {
  /** As a single call has it. */
  readonly path: string;
  /** As the header has it. */
  readonly ifMatch?: string;
  readonly form: ReceivedForm;
}

/**
 * A sender's key with the fingerprint of its change, or undefined. It covers the method, the path, `If-Match`, the texts and
 * the files as they were received: another payload under the same key is a fault of the sender. How the bytes came is no part of it.
 */
export function keyFor(key: string | undefined, payload: Payload): IdempotencyKey | undefined {
  if (key === undefined) return undefined;
  if (!isKey(key)) {
    throw new Refusal(400, { message: 'The Idempotency-Key must be 8 to 128 letters, digits, or one of . _ : -' });
  }
  return { key, fingerprint: fingerprintOf(payload) };
}

/** True for what can be an idempotency key. */
export function isKey(key: unknown): key is string {
  return typeof key === 'string' && /^[\w.:-]{8,128}$/.test(key);
}

function fingerprintOf({ path, ifMatch, form }: Payload): string {
  const texts = [...form.texts].toSorted(([one], [other]) => (one < other ? -1 : 1));
  const files = form.files.map((file) => [file.field, file.sha256]);
  const parts = ['POST', path, ifMatch ?? null, texts, files];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}
