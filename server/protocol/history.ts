import type { FastifyInstance } from 'fastify';
import { ACTIVITY_PATH } from '../../src/domain/activity.ts';
import type { OwnStore } from '../stores/store.ts';
import { idIn } from './ids.ts';
import { jsonAnswer, sendJson } from './send.ts';

type OfRecord = { Params: { resource: string; id: string }; Querystring: { before?: string } };

/** Recent activity, and the history of a record: who changed what and when, with old and new values, newest first. Includes deleted records. */
export function historyRoutes(app: FastifyInstance, store: OwnStore): void {
  app.get(ACTIVITY_PATH, async (request, reply) => sendJson(request, reply, jsonAnswer(await store.activity())));
  app.get<OfRecord>('/api/history/:resource/:id', async (request, reply) => {
    const id = idIn(request.params.id);
    const history =
      id === undefined ? [] : await store.history(request.params.resource, id, idIn(request.query.before ?? ''));
    return sendJson(request, reply, jsonAnswer(history));
  });
}
