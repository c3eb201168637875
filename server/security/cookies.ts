import type { FastifyRequest } from 'fastify';

/**
 * The name of a cookie that only this server can set. With TLS the prefix enforces it: browsers accept such a cookie only
 * from this exact host over TLS, and no sibling host of the domain can set it (RFC 6265bis, 4.1.3.2).
 */
export function ownCookie({ protocol }: FastifyRequest, name: string): string {
  return protocol === 'https' ? `__Host-${name}` : name;
}
