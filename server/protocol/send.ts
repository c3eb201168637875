import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Encodable, encodable } from './encodable.ts';

/** Brotli quality: a middle level is fast and shrinks lists to a tenth. */
const QUALITY = 4;

/** A reusable JSON answer. */
export function jsonAnswer(body: unknown): Encodable {
  return writtenAnswer(JSON.stringify(body));
}

/** A reusable answer of serialised JSON. */
export function writtenAnswer(json: string): Encodable {
  return encodable(Buffer.from(json), QUALITY);
}

/** Sends JSON with an ETag, or 304 if the client has it. Derives the ETag from the content unless given. */
export function sendJson(request: FastifyRequest, reply: FastifyReply, answer: Encodable, etag = answer.etag) {
  reply.header('Cache-Control', 'private, no-cache').type('application/json; charset=utf-8');
  return sendEncodable(request, reply, answer, etag);
}

/** Sends a body in the best encoding with its ETag, or 304. The caller sets type and caching. */
export async function sendEncodable(request: FastifyRequest, reply: FastifyReply, body: Encodable, etag = body.etag) {
  reply.code(200).headers({ ETag: etag, Vary: 'Accept-Encoding' });
  if (isKnown(request.headers['if-none-match'], etag)) return reply.code(304).send();
  return sendOnce(request, reply, body);
}

/**
 * Sends a body with a strong ETag, which differs by encoding (RFC 9110, 8.8.3.3), or 304. Compresses nothing that the client
 * has already. The caller sets type and caching.
 */
export async function sendTagged(request: FastifyRequest, reply: FastifyReply, body: Encodable) {
  const accepted = request.headers['accept-encoding'] ?? '';
  const encoding = body.encodingFor(accepted);
  const etag = body.etag.replace(/^W\/"(.*)"$/, encoding === undefined ? '"$1"' : `"$1-${encoding}"`);
  const vary = [reply.getHeader('Vary') ?? [], 'Accept-Encoding'].flat().join(', ');
  reply.code(200).headers({ ETag: etag, Vary: vary });
  if (isKnown(request.headers['if-none-match'], etag)) return reply.code(304).send();
  return sendOnce(request, reply, body);
}

/** Sends a body in the best encoding without an ETag. The caller sets type and caching. */
export async function sendOnce(request: FastifyRequest, reply: FastifyReply, body: Encodable) {
  const { encoding, bytes } = await body.encodedFor(request.headers['accept-encoding'] ?? '');
  if (encoding !== undefined) reply.header('Content-Encoding', encoding);
  return reply.header('Content-Length', bytes.length).send(bytes);
}

/** Weak comparison, as `If-None-Match` requires (RFC 9110, 13.1.2). */
function isKnown(header: string | undefined, etag: string): boolean {
  const plain = (tag: string) => tag.trim().replace(/^W\//, '');
  return header !== undefined && header.split(',').some((tag) => plain(tag) === plain(etag));
}
