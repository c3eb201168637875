import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { limitText } from '../../src/domain/validate.ts';
import { notFound, Refusal } from '../refusal.ts';
import { isForm, receiveForm } from '../uploads/form.ts';
import { discard, type Storage, type UploadLimits } from '../uploads/storage.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Other limits than those of the settings. */
    limits?: Partial<UploadLimits>;
  }
}

/** Reads request bodies: forms with their files streamed to the disk, plain forms, and JSON. */
export function readBodies(app: FastifyInstance, storage: Storage): void {
  app.addHook('onRequest', async (request) => {
    refuseTooLarge(request, limitsFor(request, storage).maxRequestBytes);
    // A body that nobody is there for is not received.
    if (request.is404 && request.method !== 'GET' && request.method !== 'HEAD')
      throw notFound('There is nothing at this address.');
  });
  // Files of a form that no change took up: one that was sent to a call that takes none. An answer is made, and this is called,
  // also when nobody is left to hear it; `onResponse` is not.
  app.addHook('onSend', async (request) => {
    if (!isForm(request.body)) return;
    await discard(storage, request.body.files).catch((err: unknown) => request.log.warn({ err }, 'files not removed'));
  });
  app.addContentTypeParser('multipart/form-data', async (request: FastifyRequest, payload: IncomingMessage) =>
    receiveForm({ ...storage, limits: limitsFor(request, storage) }, payload, {
      ...request.headers,
      'content-type': request.headers['content-type'] ?? '',
    }),
  );
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    async (_request: FastifyRequest, body: string) => Object.fromEntries(new URLSearchParams(body)),
  );
  app.addContentTypeParser('application/json', { parseAs: 'string' }, async (_request: FastifyRequest, body: string) =>
    parsed(body),
  );
}

/** Bytes that someone who is not signed in may send. */
const MOST_FROM_STRANGERS = 64 * 1024;

/** Someone who is not signed in may send little, and no files: those cost room on the disk. */
function limitsFor(request: FastifyRequest, storage: Storage): UploadLimits {
  const limits = { ...storage.limits, ...request.routeOptions.config?.limits };
  const isForStrangers = request.is404 || request.routeOptions.config.open === true;
  return isForStrangers ? { ...limits, maxRequestBytes: MOST_FROM_STRANGERS, maxFiles: 0 } : limits;
}

/** Before anything else: what says beforehand that it is too large is not read at all. */
function refuseTooLarge(request: FastifyRequest, most: number): void {
  if (Number(request.headers['content-length'] ?? 0) <= most) return;
  const message = `The request is too large. The limit is ${limitText(most)}.`;
  throw new Refusal(413, { message, code: 'request-too-large' });
}

function parsed(body: string): unknown {
  if (body.trim() === '') return undefined;
  try {
    return JSON.parse(body);
  } catch {
    throw new Refusal(400, { message: 'The body is not JSON.' });
  }
}
