import proxy from '@fastify/http-proxy';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { Refusal } from '../../refusal.ts';

/** The back end may take this long to begin its answer once the request is there, and between two pieces of it, in milliseconds. */
const ANSWER_TIME = 120_000;
const CONNECT_TIME = 10_000;

/** What belongs to the back end. */
const PREFIXES = ['/api', '/uploads'] as const;

/**
 * Passes /api and /uploads on to an existing back end: bodies as streams in both directions, cookies and other headers as
 * they are, no request twice. A back end that is away or silent is answered for with 502 or 504 in plain words.
 */
export async function passOn(app: FastifyInstance, apiUrl: string, answerTime = ANSWER_TIME): Promise<void> {
  for (const prefix of PREFIXES) {
    await app.register(proxy, {
      upstream: apiUrl,
      prefix,
      rewritePrefix: new URL(apiUrl).pathname.replace(/\/$/, '') + prefix,
      retryMethods: [],
      // A connection per request: a kept one that the back end just closed would fail a change that was never tried.
      undici: {
        pipelining: 0,
        headersTimeout: answerTime,
        bodyTimeout: answerTime,
        connect: { timeout: CONNECT_TIME },
      },
      replyOptions: {
        rewriteRequestHeaders: (request, headers) => ({
          ...headers,
          'x-forwarded-for': [request.headers['x-forwarded-for'], request.socket.remoteAddress]
            .filter(Boolean)
            .join(', '),
          'x-forwarded-proto': request.protocol,
          'x-forwarded-host': request.host,
        }),
        onError: (reply, { error }) => void answerFor(reply as FastifyReply, error),
      },
    });
  }
}

function answerFor(reply: FastifyReply, error: Error & { statusCode?: number }) {
  const isSilent = error.statusCode === 504;
  const refusal = new Refusal(isSilent ? 504 : 502, {
    message: isSilent
      ? 'The back end does not answer. It may still be working on the request.'
      : 'The back end cannot be reached. Please try again in a moment.',
    code: isSilent ? 'back-end-silent' : 'back-end-away',
  });
  return reply.code(refusal.status).send(refusal.body);
}
