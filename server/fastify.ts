import fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import type { Settings } from './settings.ts';

/** Time limits in milliseconds: a slow tablet may take minutes for its photos, a silent connection may not. */
const REQUEST_TIME = 20 * 60_000;
/** For what comes after the last byte: pictures wait for their turn. */
const HANDLING_TIME = 2 * 60_000;
const HEADERS_TIME = 20_000;
const SILENCE = 75_000;

/** Where the log goes instead of the standard output. */
export interface LogStream {
  write(line: string): void;
}

/** A Fastify of this server's habits, without routes. */
export function newFastify(settings: Settings, logStream?: LogStream): FastifyInstance {
  return fastify({
    logger: settings.logLevel === 'silent' ? false : loggerOf(settings.logLevel, logStream),
    trustProxy: settings.trustedProxies.length === 0 ? false : [...settings.trustedProxies],
    requestTimeout: REQUEST_TIME,
    connectionTimeout: SILENCE,
    handlerTimeout: REQUEST_TIME + HANDLING_TIME,
    http: { headersTimeout: HEADERS_TIME },
    bodyLimit: 1024 * 1024,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: 200 },
  });
}

function loggerOf(level: string, stream: LogStream | undefined) {
  return { level, serializers: { req: requestFacts }, ...(stream === undefined ? {} : { stream }) };
}

/** What the log says of a request: no headers, so no tokens and no cookies. */
function requestFacts(request: FastifyRequest) {
  return { method: request.method, url: request.url, address: request.ip };
}
