import type { FastifyInstance } from 'fastify';
import { CHANGES_PATH } from '../../src/domain/protocol/capabilities.ts';
import { requireFree, storedUnder } from '../stores/sqlite/idempotency.ts';
import { senderOf } from '../security/session.ts';
import { Refusal } from '../refusal.ts';
import type { Services } from '../services.ts';

/**
 * Gives the answer to an administrator's own change once more, by its `Idempotency-Key`: one that was lost on the way costs a
 * sender a question instead of all its photos again. 404 where nothing was carried out, 409 while it is.
 */
export function changesRoute(app: FastifyInstance, { db, running }: Services): void {
  app.get<{ Params: { key: string } }>(`${CHANGES_PATH}/:key`, async (request, reply) => {
    const key = { userId: senderOf(request).user.id, key: request.params.key };
    requireFree(running, key);
    const stored = await storedUnder(db, key);
    if (stored === undefined) throw new Refusal(404, { message: 'No change was carried out under this key.' });
    reply.header('Cache-Control', 'no-store');
    return stored.answer;
  });
}
