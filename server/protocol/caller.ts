import type { FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '../errors/refusal.ts';
import { credentialsOf, senderOf } from '../security/session.ts';
import type { Caller } from '../stores/store.ts';

/** The sender of a request, as stores see them. Only on routes that require sign-in. */
export function callerOf(request: FastifyRequest, reply: FastifyReply): Caller {
  return {
    ...senderOf(request),
    credentials: credentialsOf(request),
    signal: endOf(reply),
    log: request.log,
    setCookie: (header) => void reply.header('Set-Cookie', header),
  };
}

/** Aborted when the connection closes before its answer is complete. A request closes earlier: when its body has been read. */
export function endOf({ raw }: FastifyReply): AbortSignal {
  const end = new AbortController();
  raw.once('close', () => {
    if (!raw.writableFinished) end.abort(new Refusal(400, { message: 'The sender has hung up.' }));
  });
  return end.signal;
}
