import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Encodable, encodable } from './encodable.ts';

/** Lists shrink to a tenth; a middle step keeps it quick. */
const QUALITY = 4;

/** A JSON answer that can be kept and sent again. */
export function jsonAnswer(body: unknown): Encodable {
  return writtenAnswer(JSON.stringify(body));
}

/** A JSON answer that is written out already. */
export function writtenAnswer(json: string): Encodable {
  return encodable(Buffer.from(json), QUALITY);
}

/** Answers a read with JSON and an ETag, or 304 when the asker has it already. Without `etag` it is made of the content. */
export function sendJson(request: FastifyRequest, reply: FastifyReply, answer: Encodable, etag = answer.etag) {
  reply.header('Cache-Control', 'private, no-cache').type('application/json; charset=utf-8');
  return sendEncodable(request, reply, answer, etag);
}

/** Sends a body in the best encoding, with its ETag, or 304. The caller has set type and caching. */
export async function sendEncodable(request: FastifyRequest, reply: FastifyReply, body: Encodable, etag = body.etag) {
  reply.code(200).headers({ ETag: etag, Vary: 'Accept-Encoding' });
  if (isKnown(request.headers['if-none-match'], etag)) return reply.code(304).send();
  return sendOnce(request, reply, body);
}

/** Sends a body that nothing keeps, in the best encoding. The caller has set type and caching. */
export async function sendOnce(request: FastifyRequest, reply: FastifyReply, body: Encodable) {
  const { encoding, bytes } = await body.encodedFor(request.headers['accept-encoding'] ?? '');
  if (encoding !== undefined) reply.header('Content-Encoding', encoding);
  return reply.header('Content-Length', bytes.length).send(bytes);
}

/** Weak comparison, as `If-None-Match` asks for (RFC 9110, 13.1.2). */
function isKnown(header: string | undefined, etag: string): boolean {
  const plain = (tag: string) => tag.trim().replace(/^W\//, '');
  return header !== undefined && header.split(',').some((tag) => plain(tag) === plain(etag));
}
