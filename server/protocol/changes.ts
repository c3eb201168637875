import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { CHANGES_PATH } from '../../src/domain/protocol/capabilities.ts';
import { Refusal } from '../refusal.ts';
import type { ChangeAnswer, Store, Target } from '../stores/store.ts';
import { callerOf } from './caller.ts';
import { keyOf } from './idempotency-key.ts';
import { formOf } from './submitted.ts';

/**
 * Gives the answer to an administrator's own change once more, by its `Idempotency-Key`: one that was lost on the way costs a
 * sender a question instead of all its photos again. 404 where nothing was carried out, 409 while it is.
 */
export function changesRoute(app: FastifyInstance, store: Store): void {
  app.get<{ Params: { key: string } }>(`${CHANGES_PATH}/:key`, async (request, reply) => {
    const answer = await store.answerTo(callerOf(request, reply), request.params.key);
    if (answer === undefined) throw new Refusal(404, { message: 'No change was carried out under this key.' });
    reply.header('Cache-Control', 'no-store');
    return answer;
  });
}

/** Makes the change that a request asks for. The answer to a repeat says so with `Idempotent-Replayed: true`. */
export async function answerChange(
  store: Store,
  request: FastifyRequest,
  reply: FastifyReply,
  target: Target,
): Promise<ChangeAnswer> {
  const form = formOf(request);
  const key = keyOf(request, form);
  const ifMatch = request.headers['if-match'];
  const { answer, isReplayed } = await store.change(callerOf(request, reply), {
    target,
    form,
    ...(ifMatch === undefined ? {} : { ifMatch }),
    ...(key === undefined ? {} : { key }),
  });
  if (isReplayed) reply.header('Idempotent-Replayed', 'true');
  return answer;
}
