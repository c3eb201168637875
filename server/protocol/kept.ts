import type { FastifyInstance } from 'fastify';
import { KEPT_PATH, MOST_KEPT_ASKED } from '../../src/domain/protocol/kept.ts';
import { Refusal } from '../errors/refusal.ts';
import { senderOf } from '../security/session.ts';
import type { OwnStore } from '../stores/store.ts';
import { isKey } from './idempotency-key.ts';

/** Says which of the changes that a device keeps this database has forgotten, and which are in a backup. Only the sender's own. */
export function keptRoute(app: FastifyInstance, store: Pick<OwnStore, 'kept'>): void {
  app.get<{ Querystring: { keys?: string | string[] } }>(KEPT_PATH, async (request) =>
    store.kept(senderOf(request).user.id, keysIn(request.query.keys ?? '')),
  );
}

function keysIn(text: string | string[]): readonly string[] {
  const keys = typeof text === 'string' ? text.split(',') : [];
  if (keys.length <= MOST_KEPT_ASKED && keys.length > 0 && keys.every(isKey)) return keys;
  throw new Refusal(400, { message: `Ask with ?keys= for 1 to ${MOST_KEPT_ASKED} keys, separated by commas.` });
}
