import type { Socket } from 'node:net';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Settings } from './settings.ts';

/** In milliseconds. */
export interface TimeLimits {
  /** For a whole request to arrive: a slow tablet may take minutes for its photos. */
  readonly request: number;
  /** For its headers to arrive. */
  readonly headers: number;
  /** Without a byte in either direction, while a request arrives or its answer leaves. */
  readonly silence: number;
  /** For what comes after the last byte: pictures wait for their turn. */
  readonly handling: number;
}

const TIME_LIMITS: TimeLimits = { request: 20 * 60_000, headers: 20_000, silence: 75_000, handling: 2 * 60_000 };

/** Where the log goes instead of the standard output. */
export interface LogStream {
  write(line: string): void;
}

/** A Fastify of this server's habits, without routes. */
export function newFastify(settings: Settings, logStream?: LogStream, limits = TIME_LIMITS): FastifyInstance {
  const app = fastify({
    logger: settings.logLevel === 'silent' ? false : loggerOf(settings.logLevel, logStream),
    trustProxy: settings.trustedProxies.length === 0 ? false : [...settings.trustedProxies],
    requestTimeout: limits.request,
    connectionTimeout: limits.silence,
    handlerTimeout: limits.request + limits.handling,
    http: { headersTimeout: limits.headers, connectionsCheckingInterval: checkEvery(limits) },
    bodyLimit: 1024 * 1024,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: 200 },
  });
  app.addHook('onRequest', async (request, reply) => limitSilence(request, reply, limits));
  return app;
}

/**
 * A sender who waits for an answer is not cut off: browsers send a request again whose connection ended without one. For as
 * long as a request and its work may take together; `handlerTimeout` no longer counts once a body has been read.
 */
function limitSilence(request: FastifyRequest, reply: FastifyReply, limits: TimeLimits): void {
  const { silence } = limits;
  const endsAt = Date.now() + limits.request + limits.handling;
  reply.raw.on('timeout', (socket: Socket) => {
    const isAtWork = request.raw.complete && !reply.raw.headersSent && Date.now() < endsAt;
    if (isAtWork) socket.setTimeout(silence);
    else socket.destroy();
  });
}

/** How often requests are looked at for being late: the limits are kept to this precision. */
function checkEvery({ request, headers }: TimeLimits): number {
  return Math.min(request, headers) / 4;
}

function loggerOf(level: string, stream: LogStream | undefined) {
  return { level, serializers: { req: requestFacts }, ...(stream === undefined ? {} : { stream }) };
}

/** What the log says of a request: no headers, so no tokens and no cookies. */
function requestFacts(request: FastifyRequest) {
  return { method: request.method, url: request.url, address: request.ip };
}
