import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { MAY_OVERLAP, PIECE_TYPE, STAGING_PATH, TUS_VERSION } from '../../src/domain/protocol/staging.ts';
import { notFound, Refusal } from '../errors/refusal.ts';
import { senderOf } from '../security/session.ts';
import type { Progress, Staging } from '../staging/staging.ts';

type ByHash = { Params: { sha256: string } };

const EXTENSIONS = 'creation,creation-with-upload,termination';
const HASH = /^[0-9a-f]{64}$/;

const TAKES_PIECE = { config: { takes: 'piece' } } as const;

/** Routes for staging files with tus 1.0 (https://tus.io/protocols/resumable-upload). */
export function stagingRoutes(api: FastifyInstance, staging: Staging, maxFileBytes: number): void {
  void api.register(async (app) => {
    app.addHook('onRequest', async (request, reply) => requireVersion(request, reply));
    app.addContentTypeParser(PIECE_TYPE, async (_request: FastifyRequest, payload: Readable) => payload);
    app.options(STAGING_PATH, { config: { open: true } }, async (_request, reply) => describe(reply, maxFileBytes));
    app.post(STAGING_PATH, TAKES_PIECE, (request, reply) => begin(staging, request, reply));
    app.head<ByHash>(`${STAGING_PATH}/:sha256`, async (request, reply) => {
      const progress = await staging.progress(userOf(request), hashIn(request.params.sha256));
      if (progress === undefined) throw notFound('There is no such upload.');
      return tell(reply, progress).header('Upload-Length', progress.length).header('Cache-Control', 'no-store').send();
    });
    app.patch<ByHash>(`${STAGING_PATH}/:sha256`, TAKES_PIECE, async (request, reply) => {
      const [sha256, offset] = [hashIn(request.params.sha256), numberIn(request, 'upload-offset')];
      const mayOverlap = request.headers[MAY_OVERLAP.toLowerCase()] === '1';
      const piece = { offset, content: contentOf(request), mayOverlap };
      const progress = await staging.append(userOf(request), sha256, piece);
      return tell(reply, progress).code(204).send();
    });
    app.delete<ByHash>(`${STAGING_PATH}/:sha256`, async (request, reply) => {
      const isGone = await staging.drop(userOf(request), hashIn(request.params.sha256));
      if (!isGone) throw notFound('There is no such upload.');
      return reply.code(204).send();
    });
  });
}

async function begin(staging: Staging, request: FastifyRequest, reply: FastifyReply) {
  const [userId, sha256] = [userOf(request), hashIn(hashOfMetadata(request))];
  const begun = await staging.begin(userId, sha256, numberIn(request, 'upload-length'));
  const isNew = begun.offset === 0 && request.headers['content-type'] !== undefined;
  const progress = isNew ? await staging.append(userId, sha256, { offset: 0, content: contentOf(request) }) : begun;
  return tell(reply, progress).code(201).header('Location', `${STAGING_PATH}/${sha256}`).send();
}

function describe(reply: FastifyReply, maxFileBytes: number) {
  const headers = { 'Tus-Version': TUS_VERSION, 'Tus-Extension': EXTENSIONS, 'Tus-Max-Size': String(maxFileBytes) };
  return reply.code(204).headers(headers).send();
}

function tell(reply: FastifyReply, { offset }: Progress): FastifyReply {
  return reply.header('Upload-Offset', offset);
}

function requireVersion(request: FastifyRequest, reply: FastifyReply): void {
  reply.header('Tus-Resumable', TUS_VERSION);
  if (request.method === 'OPTIONS' || request.headers['tus-resumable'] === TUS_VERSION) return;
  const message = `Uploads are taken by version ${TUS_VERSION} of tus.`;
  throw new Refusal(412, { message, code: 'tus-version' }, { 'Tus-Version': TUS_VERSION });
}

function userOf(request: FastifyRequest): number {
  return senderOf(request).user.id;
}

function contentOf({ body }: FastifyRequest): Readable {
  if (body instanceof Readable) return body;
  throw new Refusal(415, { message: `A piece is of the type ${PIECE_TYPE}.`, code: 'no-piece' });
}

/** Decodes `sha256` from Upload-Metadata, whose values are base64. */
function hashOfMetadata({ headers }: FastifyRequest): string {
  const pairs = [headers['upload-metadata'] ?? ''].flat().join(',').split(',');
  const value = pairs.map((pair) => pair.trim().split(' ')).find(([name]) => name === 'sha256')?.[1] ?? '';
  return Buffer.from(value, 'base64').toString('latin1');
}

function hashIn(text: string): string {
  if (HASH.test(text)) return text;
  throw new Refusal(400, { message: 'An upload is known by its SHA-256 in lower-case hexadecimal.' });
}

function numberIn({ headers }: FastifyRequest, name: 'upload-length' | 'upload-offset'): number {
  const text = [headers[name] ?? ''].flat()[0] ?? '';
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new Refusal(400, { message: `The header ${name} is missing.` });
}
