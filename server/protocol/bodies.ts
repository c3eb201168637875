import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { limitText } from '../../src/domain/validate.ts';
import { notFound, Refusal } from '../refusal.ts';
import { isForm, receiveForm } from '../uploads/form.ts';
import { discard, type Storage, type UploadLimits } from '../uploads/storage.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Limits that override the settings. */
    limits?: Partial<UploadLimits>;
  }
}

/** Parses request bodies: multipart forms with files streamed to the disk, plain forms, and JSON. */
export function readBodies(app: FastifyInstance, storage: Storage): void {
  app.addHook('onRequest', async (request) => {
    refuseTooLarge(request, limitsFor(request, storage).maxRequestBytes);
    // A body without a route is not received.
    if (request.is404 && request.method !== 'GET' && request.method !== 'HEAD')
      throw notFound('There is nothing at this address.');
  });
  // Removes files of a form that no change used. `onSend` runs even if the client has gone; `onResponse` does not.
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

/** Maximum body of a request without a session. Bytes. */
const MOST_FROM_STRANGERS = 64 * 1024;

/** The limits of a request. Without a session, bodies are small and carry no files, which would take disk space. */
function limitsFor(request: FastifyRequest, storage: Storage): UploadLimits {
  const limits = { ...storage.limits, ...request.routeOptions.config?.limits };
  const isForStrangers = request.is404 || request.routeOptions.config.open === true;
  return isForStrangers ? { ...limits, maxRequestBytes: MOST_FROM_STRANGERS, maxFiles: 0 } : limits;
}

/** Rejects a body by its Content-Length before reading any of it. */
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
