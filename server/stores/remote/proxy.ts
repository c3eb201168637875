import { finished, type Readable, Transform } from 'node:stream';
import proxy from '@fastify/http-proxy';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { pathOf } from '../../protocol/path.ts';
import { notFound, Refusal } from '../../errors/refusal.ts';
import { away } from './back-end.ts';
import { answeredHeaders, askedHeaders } from './passed-headers.ts';

/** Options for requests that the gateway forwards to the back end. */
export interface Passing {
  readonly apiUrl: string;
  /** The time-out until the answer begins, and between its chunks. Milliseconds. */
  readonly answerTime: number;
  /** The largest request in bytes. */
  readonly maxRequestBytes: number;
  /** Called when a session may have ended. */
  readonly onLogOut: (request: FastifyRequest) => void;
}

const CONNECT_TIME = 10_000;

/** Paths of the back end. */
const PREFIXES = ['/api', '/uploads'] as const;

/**
 * Forwards to the back end what the gateway does not answer itself: lists, lookups, sign-in, files. Bodies are streamed in
 * both directions, with the headers of passed-headers.ts, and no request is sent twice.
 */
export async function passOn(app: FastifyInstance, passing: Passing): Promise<void> {
  const { apiUrl, answerTime } = passing;
  app.addHook('onRequest', async (request) => {
    if (request.method === 'POST' && isSignIn(request)) throw notFound('There is nothing at this address.');
    if (request.url.endsWith('/logout')) passing.onLogOut(request);
    if (Number(request.headers['content-length'] ?? 0) > passing.maxRequestBytes) throw tooLarge();
  });
  // bytes are counted for bodies that do not declare their length
  app.addHook('preParsing', async (_request, _reply, payload) => counted(payload, passing.maxRequestBytes));
  for (const prefix of PREFIXES) {
    await app.register(proxy, {
      upstream: apiUrl,
      prefix,
      rewritePrefix: new URL(apiUrl).pathname.replace(/\/$/, '') + prefix,
      retryMethods: [],
      // One connection per request: a pooled one that the back end just closed would fail a request that was never tried.
      undici: {
        pipelining: 0,
        headersTimeout: answerTime,
        bodyTimeout: answerTime,
        connect: { timeout: CONNECT_TIME },
      },
      replyOptions: {
        rewriteRequestHeaders: (request, headers) => ({
          ...askedHeaders(headers),
          'x-forwarded-for': request.ip,
          'x-forwarded-proto': request.protocol,
          'x-forwarded-host': request.host,
        }),
        rewriteHeaders: (headers) => answeredHeaders(headers, apiUrl),
        onError: (reply, { error }) => void answerFor(reply as FastifyReply, error),
      },
    });
  }
}

/**
 * True for the address of the sign-in in another spelling. A back end may read `/api/auth/login/` and `/api/./auth/login` alike,
 * and tries that are only passed on would not count (see sign-in.ts).
 */
function isSignIn(request: FastifyRequest): boolean {
  const path = URL.parse(pathOf(request), 'http://gateway')?.pathname ?? '';
  return /^\/+api\/+auth\/+login\/*$/i.test(path);
}

/** Passes a body on up to a number of bytes. */
function counted(body: Readable, most: number): Transform {
  let size = 0;
  const counting = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length;
      done(size > most ? tooLarge() : null, chunk);
    },
  });
  // `pipe` leaves its target open when a body breaks off, and `pipeline` would close the connection that a 413 needs
  finished(body, (error) => error && counting.destroy(error));
  return body.pipe(counting);
}

function tooLarge(): Refusal {
  return new Refusal(413, { message: 'The request is too large.', code: 'request-too-large' });
}

function answerFor(reply: FastifyReply, error: Error & { statusCode?: number }) {
  const refusal = refusalFor(error);
  return reply.code(refusal.status).headers(refusal.headers).send(refusal.body);
}

function refusalFor(error: Error & { statusCode?: number }): Refusal {
  // the body grew too large while streaming; the back end is reachable
  if (error.cause instanceof Refusal) return error.cause;
  return error.statusCode === 504 ? silent() : away(true);
}

function silent(): Refusal {
  const message = 'The back end does not answer. It may still be working on the request.';
  return new Refusal(504, { message, code: 'back-end-silent' });
}
