import type { FastifyRequest } from 'fastify';

/** Maximum length of a submitted name in the log, in characters. */
const LONGEST_WHO = 100;

/**
 * Logs who signed in or tried to, from where, and what was done to whom, whatever LOG_LEVEL is, except "silent". `who` is an email
 * address. Never logs a password or a token.
 */
export function audit(request: FastifyRequest, event: string, who: string): void {
  request.log
    .child({}, { level: 'info' })
    .info({ audit: event, who: who.slice(0, LONGEST_WHO), address: request.ip }, event);
}

/** An address as people have them, of a host with a dot. */
const ADDRESS = /^[\w.+-]+@[\w-]+(\.[\w-]+)*\.[a-z]{2,}$/i;

/** What a stranger typed as their address, for the log. Anything else may be a password in the wrong field, and is not logged. */
export function typedAddress(text: string): string {
  return ADDRESS.test(text) ? text : 'not an address';
}
