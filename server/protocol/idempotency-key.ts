import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { Refusal } from '../refusal.ts';
import type { IdempotencyKey } from '../stores/store.ts';
import type { ReceivedForm } from '../uploads/form.ts';
import { pathOf } from './path.ts';

/**
 * The key that a request carries, or undefined. The fingerprint covers the method, the path, `If-Match`, the texts and the
 * files as they were received: another payload under the same key is a fault of the sender.
 */
export function keyOf(request: FastifyRequest, form: ReceivedForm): IdempotencyKey | undefined {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key !== 'string' || !/^[\w.:-]{8,128}$/.test(key)) {
    throw new Refusal(400, { message: 'The Idempotency-Key must be 8 to 128 letters, digits, or one of . _ : -' });
  }
  return { key, fingerprint: fingerprintOf(request, form) };
}

function fingerprintOf(request: FastifyRequest, form: ReceivedForm): string {
  const texts = [...form.texts].toSorted(([one], [other]) => (one < other ? -1 : 1));
  const files = form.files.map((file) => [file.field, file.sha256]);
  const parts = [request.method, pathOf(request), request.headers['if-match'] ?? null, texts, files];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}
