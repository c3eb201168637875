import type { FastifyReply, FastifyRequest } from 'fastify';
import { credentialsOf, senderOf } from '../security/session.ts';
import type { Caller } from '../stores/store.ts';

/** The sender of a request, as stores see them. Only on routes that require sign-in. */
export function callerOf(request: FastifyRequest, reply: FastifyReply): Caller {
  return {
    ...senderOf(request),
    credentials: credentialsOf(request),
    log: request.log,
    setCookie: (header) => void reply.header('Set-Cookie', header),
  };
}
