import type { FastifyInstance } from 'fastify';
import { FEED_PATH, LIVE_PATH } from '../../src/domain/protocol/feed.ts';
import { credentialsOf, senderOf } from '../security/session.ts';
import type { Seats } from '../shared/seats.ts';
import type { FeedSource } from '../stores/store.ts';
import { LiveFeed } from './live-feed.ts';
import { jsonAnswer, sendOnce } from './send.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * A route that every device polls, even on thin links. Its answers omit headers that only matter for documents, and the
     * anti-forgery cookie if the browser already has one.
     */
    isPolled?: boolean;
  }
}

/** Returns the changes of all kinds since a cursor. Never cached in between: every answer depends on its cursor. */
export function feedRoutes(app: FastifyInstance, store: FeedSource): void {
  app.get<{ Querystring: { since?: string } }>(FEED_PATH, { config: { isPolled: true } }, async (request, reply) => {
    const asker = { userId: senderOf(request).user.id, credentials: credentialsOf(request), isWaiting: true };
    const page = await store.feed(request.query.since, asker);
    reply.type('application/json; charset=utf-8');
    return sendOnce(request, reply, jsonAnswer(page));
  });
}

type Limits = ConstructorParameters<typeof LiveFeed>[2];

/**
 * The feed as server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html), with nginx buffering turned
 * off. Shutdown does not wait for these connections.
 */
export function liveRoutes(app: FastifyInstance, store: FeedSource, limits: Limits, seats: Seats): void {
  const live = new LiveFeed(store, app.log, limits, seats);
  app.addHook('preClose', async () => live.close());
  app.get(LIVE_PATH, { exposeHeadRoute: false }, async (request, reply) => {
    const since = [request.headers['last-event-id'] ?? []].flat()[0];
    const stream = await live.join(senderOf(request), credentialsOf(request), since);
    return reply.type('text/event-stream; charset=utf-8').header('X-Accel-Buffering', 'no').send(stream);
  });
}
