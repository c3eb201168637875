import type { FastifyRequest } from 'fastify';

/**
 * The normalised path of a request: without host (`GET http://host/path`) and query, with decoded escapes where possible. Access
 * is decided by the matched route, never by this path.
 */
export function pathOf(request: FastifyRequest): string {
  const path = request.url.replace(/^https?:\/\/[^/?#]*/i, '').split(/[?#]/)[0] || '/';
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
