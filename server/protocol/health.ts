import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Readiness } from '../ops/readiness.ts';

/**
 * Headers that proxies add: Forwarded (RFC 7239), Via (RFC 9110, section 7.6.3), the X-Forwarded family, and the sender's address
 * under the names that are in use.
 */
const PROXY_HEADERS = /(^|-)forwarded(-|$)|^via$|(^|-)(client|connecting|real)-ip$/;

/** True for a request from this machine that did not pass a proxy. Only those learn what is wrong. */
export function isLocal({ ip, headers }: FastifyRequest): boolean {
  return /^(127\.|::1$|::ffff:127\.)/.test(ip) && !Object.keys(headers).some((name) => PROXY_HEADERS.test(name));
}

/** Liveness and readiness routes for monitoring. */
export function healthRoutes(app: FastifyInstance, whyNotReady: Readiness): void {
  app.get('/healthz', { logLevel: 'silent' }, async () => ({ status: 'ok' }));
  app.get('/readyz', { logLevel: 'silent' }, async (request, reply) => {
    reply.header('Cache-Control', 'no-store');
    const message = await whyNotReady();
    if (message === undefined) return { status: 'ready' };
    app.log.warn(`not ready: ${message}`);
    return reply.code(503).send({ status: 'not ready', ...(isLocal(request) ? { message } : {}) });
  });
}
