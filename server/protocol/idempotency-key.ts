import { createHash } from 'node:crypto';
import { Refusal } from '../refusal.ts';
import type { IdempotencyKey } from '../stores/store.ts';
import type { ReceivedForm } from '../uploads/form.ts';

/** The parts of a change that identify its payload. */
export interface Payload {
  /** The path of the single call. */
  readonly path: string;
  /** The value of the header. */
  readonly ifMatch?: string;
  readonly form: ReceivedForm;
}

/**
 * A sender's key with the fingerprint of its payload, or undefined. The fingerprint covers the method, path, `If-Match`, values
 * and files, but not how the bytes arrived. Another payload under the same key is the sender's error.
 */
export function keyFor(key: string | undefined, payload: Payload): IdempotencyKey | undefined {
  if (key === undefined) return undefined;
  if (!isKey(key)) {
    throw new Refusal(400, { message: 'The Idempotency-Key must be 8 to 128 letters, digits, or one of . _ : -' });
  }
  return { key, fingerprint: fingerprintOf(payload) };
}

/** True for a well-formed idempotency key. */
export function isKey(key: unknown): key is string {
  return typeof key === 'string' && /^[\w.:-]{8,128}$/.test(key);
}

function fingerprintOf({ path, ifMatch, form }: Payload): string {
  const texts = [...form.texts].toSorted(([one], [other]) => (one < other ? -1 : 1));
  const files = form.files.map((file) => [file.field, file.sha256]);
  const parts = ['POST', path, ifMatch ?? null, texts, files];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}
