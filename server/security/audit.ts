import type { FastifyRequest } from 'fastify';

/** Characters of a name that somebody typed, in the log. */
const LONGEST_WHO = 100;

/** A line for whoever asks later who came in, from where, who tried, and what was done to whom. Never with a password or a token. */
export function audit(request: FastifyRequest, event: string, who: string): void {
  request.log.info({ audit: event, who: who.slice(0, LONGEST_WHO), address: request.ip }, event);
}
