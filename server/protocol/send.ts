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

/** The strong ETag of a body as a request will get it: it differs by encoding (RFC 9110, 8.8.3.3). */
export function strongTag({ headers }: FastifyRequest, body: Encodable): string {
  const encoding = body.encodingFor(headers['accept-encoding'] ?? '');
  // without the mark of a weak one
  return encoding === undefined ? body.etag.slice(2) : `${body.etag.slice(2, -1)}-${encoding}"`;
}

/** Sends a body in the best encoding without an ETag. The caller sets type and caching. */
export async function sendOnce(request: FastifyRequest, reply: FastifyReply, body: Encodable) {
  const { encoding, bytes } = await body.encodedFor(request.headers['accept-encoding'] ?? '');
  if (encoding !== undefined) reply.header('Content-Encoding', encoding);
  return reply.header('Content-Length', bytes.length).send(bytes);
}

/** Weak comparison, as `If-None-Match` requires (RFC 9110, 13.1.2). */
export function isKnown(header: string | undefined, etag: string): boolean {
  if (header === undefined || header === etag) return header === etag;
  const plain = (tag: string) => tag.trim().replace(/^W\//, '');
  return header.split(',').some((tag) => plain(tag) === plain(etag));
}
