import type { FastifyInstance } from 'fastify';
import type { OwnStore } from '../stores/store.ts';
import { idIn } from './ids.ts';
import { jsonAnswer, sendJson } from './send.ts';

type OfRecord = { Params: { resource: string; id: string } };

/** A record's history, newest first: who did what and when, with the values before and after. Also of deleted records. */
export function historyRoutes(app: FastifyInstance, store: OwnStore): void {
  app.get<OfRecord>('/api/history/:resource/:id', async (request, reply) => {
    const id = idIn(request.params.id);
    const history = id === undefined ? [] : await store.history(request.params.resource, id);
    return sendJson(request, reply, jsonAnswer(history));
  });
}
