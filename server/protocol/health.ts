import type { FastifyInstance } from 'fastify';
import type { Readiness } from '../readiness.ts';

/** For whoever watches the server: alive, and able to work. */
export function healthRoutes(app: FastifyInstance, whyNotReady: Readiness): void {
  app.get('/healthz', { logLevel: 'silent' }, async () => ({ status: 'ok' }));
  app.get('/readyz', { logLevel: 'silent' }, async (_request, reply) => {
    reply.header('Cache-Control', 'no-store');
    const message = await whyNotReady();
    if (message === undefined) return { status: 'ready' };
    app.log.warn(`not ready: ${message}`);
    return reply.code(503).send({ status: 'not ready', message });
  });
}
