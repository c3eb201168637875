import type { FastifyRequest } from 'fastify';

/**
 * The name of a cookie that is this server's alone. With TLS the prefix sees to it: browsers take such a cookie only from this
 * very host, over TLS, and no neighbour of the domain can set it (RFC 6265bis, 4.1.3.2).
 */
export function ownCookie({ protocol }: FastifyRequest, name: string): string {
  return protocol === 'https' ? `__Host-${name}` : name;
}
