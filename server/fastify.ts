import type { Socket } from 'node:net';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { lingerAfterEarlyAnswers } from './ops/linger.ts';
import { REFUSAL_HEADERS } from './security/headers.ts';
import type { Settings } from './settings/settings.ts';

/** Time limits of requests and connections. Milliseconds. */
export interface TimeLimits {
  /** For a request to arrive completely: a slow tablet may take minutes to upload its photos. */
  readonly request: number;
  /** For its headers to arrive. */
  readonly headers: number;
  /** Without a byte in either direction, while a request or its answer is in transit. */
  readonly silence: number;
  /** For the work after the last byte: pictures are processed in a queue. */
  readonly handling: number;
  /** Between an answer sent before the end of a body and the end of the connection. */
  readonly linger: number;
}

const TIME_LIMITS: TimeLimits = {
  request: 20 * 60_000,
  headers: 20_000,
  silence: 75_000,
  handling: 2 * 60_000,
  linger: 5_000,
};

/** A destination of the log other than standard output. */
export interface LogStream {
  write(line: string): void;
}

/** A Fastify instance with this server's conventions, without routes. */
export function newFastify(settings: Settings, logStream?: LogStream, limits = TIME_LIMITS): FastifyInstance {
  const app = unlimitedFastify(settings, logStream, limits);
  limitTimes(app, limits);
  return app;
}

/** The same, with limits for connections only. `limitTimes` adds the others to a scope. */
export function unlimitedFastify(settings: Settings, logStream?: LogStream, limits = TIME_LIMITS): FastifyInstance {
  return fastify({
    logger: settings.logLevel === 'silent' ? false : loggerOf(settings.logLevel, logStream),
    trustProxy: settings.trustedProxies.length === 0 ? false : [...settings.trustedProxies],
    requestTimeout: limits.request,
    connectionTimeout: limits.silence,
    http: { headersTimeout: limits.headers, connectionsCheckingInterval: checkEvery(limits) },
    bodyLimit: 1024 * 1024,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: 200 },
    frameworkErrors: (_error, _request, reply) => refuseMalformed(reply),
    clientErrorHandler: hangUp,
  });
}

/** Limits requests that take their time, such as uploads, and lets answers arrive that come before the end of a body. */
export function limitTimes(app: FastifyInstance, limits = TIME_LIMITS): void {
  app.addHook('onRoute', (route) => {
    route.handlerTimeout ??= limits.request + limits.handling;
  });
  app.addHook('onRequest', async (request, reply) => limitSilence(request, reply, limits));
  lingerAfterEarlyAnswers(app, limits.linger);
}

/** Answers a malformed address: it matches no route, so no hook sees it. */
function refuseMalformed(reply: FastifyReply): void {
  void reply.code(400).headers(REFUSAL_HEADERS).send({ message: 'This address cannot be read.' });
}

/** Messages for requests that Node could not parse, by error code. */
const UNREADABLE: Readonly<Record<string, string>> = {
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
};

/** Answers an invalid request if the connection is still open, and closes it. */
function hangUp(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const status = UNREADABLE[error.code ?? ''] ?? '400 Bad Request';
  const body = JSON.stringify({ message: 'This request cannot be read.' });
  const headers = {
    ...REFUSAL_HEADERS,
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': body.length,
  };
  const lines = Object.entries({ ...headers, Connection: 'close' }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status}\r\n${lines.join('')}\r\n${body}`);
}

/**
 * Keeps a connection open while its sender waits for an answer: browsers repeat a request whose connection ended without one.
 * The limit is the time for the request and its work together, because `handlerTimeout` stops once a body has been read.
 */
function limitSilence(request: FastifyRequest, reply: FastifyReply, limits: TimeLimits): void {
  const { silence } = limits;
  const endsAt = performance.now() + limits.request + limits.handling;
  reply.raw.on('timeout', (socket: Socket) => {
    const isAtWork = request.raw.complete && !reply.raw.headersSent && performance.now() < endsAt;
    if (isAtWork) socket.setTimeout(silence);
    else socket.destroy();
  });
}

/** How often late requests are detected, which is the precision of the limits. */
function checkEvery({ request, headers }: TimeLimits): number {
  return Math.min(request, headers) / 4;
}

function loggerOf(level: string, stream: LogStream | undefined) {
  return { level, serializers: { req: requestFacts }, ...(stream === undefined ? {} : { stream }) };
}

/** The logged facts of a request. No headers, so no tokens and no cookies. */
function requestFacts(request: FastifyRequest) {
  return { method: request.method, url: request.url, address: request.ip };
}
