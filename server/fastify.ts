import type { Socket } from 'node:net';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { lingerAfterEarlyAnswers } from './linger.ts';
import { REFUSAL_HEADERS } from './security/headers.ts';
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
  /** After an answer that came before the end of a body, until the connection is closed. */
  readonly linger: number;
}

const TIME_LIMITS: TimeLimits = {
  request: 20 * 60_000,
  headers: 20_000,
  silence: 75_000,
  handling: 2 * 60_000,
  linger: 5_000,
};

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
    frameworkErrors: (_error, _request, reply) => refuseMalformed(reply),
    clientErrorHandler: hangUp,
  });
  app.addHook('onRequest', async (request, reply) => limitSilence(request, reply, limits));
  lingerAfterEarlyAnswers(app, limits.linger);
  return app;
}

/** An address that cannot be read belongs to no route, so no hook sees it. */
function refuseMalformed(reply: FastifyReply): void {
  void reply.code(400).headers(REFUSAL_HEADERS).send({ message: 'This address cannot be read.' });
}

/** What to tell of a request that Node could not read, by its code. */
const UNREADABLE: Readonly<Record<string, string>> = {
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
};

/** Answers what is no request, where somebody is there to hear it, and ends the connection. */
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
