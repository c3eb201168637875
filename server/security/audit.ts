import type { FastifyRequest } from 'fastify';

/** Maximum length of a submitted name in the log, in characters. */
const LONGEST_WHO = 100;

/** Logs who signed in or tried to, from where, and what was done to whom. Never logs a password or a token. */
export function audit(request: FastifyRequest, event: string, who: string): void {
  request.log.info({ audit: event, who: who.slice(0, LONGEST_WHO), address: request.ip }, event);
}
