import type { FastifyInstance } from 'fastify';
import { jsonAnswer, sendJson } from './send.ts';
import { formOf } from './submitted.ts';
import type { OwnStore } from '../stores/store.ts';

/** The lookup lists. */
export function lookupRoutes(app: FastifyInstance, store: OwnStore): void {
  app.get('/api/get-generators-series', async (request, reply) =>
    sendJson(request, reply, jsonAnswer(await store.lookup('generator-series'))),
  );
  app.get('/api/get-all-ups-types', async (request, reply) =>
    sendJson(request, reply, jsonAnswer(await store.lookup('ups-types'))),
  );
  app.post('/api/get-gti-brands', async (request) => {
    const type = formOf(request).texts.get('type');
    return type === undefined ? [] : store.lookup('gti-brands', type);
  });
}
