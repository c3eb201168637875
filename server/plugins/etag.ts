import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Answers a read with an ETag, or 304 when the asker has it already. Without `tag` it is made of the content. */
export function sendTagged(request: FastifyRequest, reply: FastifyReply, body: unknown, tag?: string) {
  const text = JSON.stringify(body);
  const etag = tag ?? `W/"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`;
  reply.header('ETag', etag).header('Cache-Control', 'private, no-cache');
  if (isKnown(request.headers['if-none-match'], etag)) return reply.code(304).send();
  return reply.type('application/json; charset=utf-8').send(text);
}

/** Weak comparison, as `If-None-Match` asks for (RFC 9110, 13.1.2). */
function isKnown(header: string | undefined, etag: string): boolean {
  const plain = (tag: string) => tag.trim().replace(/^W\//, '');
  return header !== undefined && header.split(',').some((tag) => plain(tag) === plain(etag));
}
