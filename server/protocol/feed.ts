import type { FastifyInstance } from 'fastify';
import { FEED_PATH } from '../../src/domain/protocol/feed.ts';
import type { OwnStore } from '../stores/store.ts';
import { jsonAnswer, sendEncodable } from './send.ts';

/** What changed since the asker's cursor, over all kinds. Never kept by anything in between: each answer is another one's past. */
export function feedRoutes(app: FastifyInstance, store: OwnStore): void {
  app.get<{ Querystring: { since?: string } }>(FEED_PATH, async (request, reply) => {
    const page = await store.feed(request.query.since);
    reply.type('application/json; charset=utf-8');
    return sendEncodable(request, reply, jsonAnswer(page));
  });
}
