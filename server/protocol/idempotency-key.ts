import { createHash } from 'node:crypto';
import { Refusal } from '../errors/refusal.ts';
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
  const isEarlier = (stored: string) => EARLIER_TEXTS.some((asSent) => fingerprintOf(payload, asSent) === stored);
  return { key, fingerprint: fingerprintOf(payload, asInForm), isEarlier };
}

/** True if what is stored under a key has the payload of the key. */
export function isSamePayload(
  stored: Pick<IdempotencyKey, 'fingerprint'>,
  { fingerprint, isEarlier }: Omit<IdempotencyKey, 'key'>,
): boolean {
  return stored.fingerprint === fingerprint || isEarlier(stored.fingerprint);
}

/** True for a well-formed idempotency key. */
export function isKey(key: unknown): key is string {
  return typeof key === 'string' && /^[\w.:-]{8,128}$/.test(key);
}

/**
 * Earlier versions took texts as they came. A batch had the line ends of the device, which its repeat as a form no longer has. A
 * device may repeat such a change after any time, and it must not take effect again.
 */
const EARLIER_TEXTS = [(text: string) => text, (text: string) => text.replaceAll(/\r\n?/g, '\n')];

function fingerprintOf({ path, ifMatch, form }: Payload, asText: (text: string) => string): string {
  const texts = [...form.texts]
    .map(([name, text]) => [name, asText(text)] as const)
    .toSorted(([one], [other]) => (one < other ? -1 : 1));
  const files = form.files.map((file) => [file.field, file.sha256]);
  const parts = ['POST', path, ifMatch ?? null, texts, files];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

/**
 * A text as a form carries it: with CR LF for every line end, and without lone surrogates. A batch carries it as JSON, which
 * changes neither.
 */
function asInForm(text: string): string {
  return text.toWellFormed().replaceAll(/\r\n?|\n/g, '\r\n');
}
