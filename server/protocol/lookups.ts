import type { FastifyInstance } from 'fastify';
import { jsonAnswer, sendJson } from './send.ts';
import { formOf } from './submitted.ts';
import { lookupValues } from '../stores/sqlite/lookups.ts';
import type { Services } from '../services.ts';

/** The lists that choices are made from. */
export function lookupRoutes(app: FastifyInstance, { db }: Services): void {
  app.get('/api/get-generators-series', async (request, reply) =>
    sendJson(request, reply, jsonAnswer(await lookupValues(db, 'generator-series'))),
  );
  app.get('/api/get-all-ups-types', async (request, reply) =>
    sendJson(request, reply, jsonAnswer(await lookupValues(db, 'ups-types'))),
  );
  app.post('/api/get-gti-brands', async (request) => {
    const type = formOf(request).texts.get('type');
    return type === undefined ? [] : lookupValues(db, 'gti-brands', type);
  });
}
