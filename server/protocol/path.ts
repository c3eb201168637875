import type { FastifyRequest } from 'fastify';

/**
 * The path that a request asks for, whatever its spelling: without host (`GET http://host/path`) and query, its escapes
 * decoded where they can be. Who may ask for it is decided by the route that was found, never by this.
 */
export function pathOf(request: FastifyRequest): string {
  const path = request.url.replace(/^https?:\/\/[^/?#]*/i, '').split(/[?#]/)[0] || '/';
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
