import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { limitText } from '../../src/domain/validate.ts';
import { notFound, Refusal } from '../errors/refusal.ts';
import { isForm, receiveForm } from '../uploads/form.ts';
import { discard, type Storage, type UploadLimits } from '../uploads/storage.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * What the route takes beyond a small body without files: files within the settings' limits, a piece of one file, or
     * files within limits of its own.
     */
    takes?: 'files' | 'piece' | Partial<UploadLimits>;
  }
}

/** Parses request bodies: multipart forms with files streamed to the disk, plain forms, and JSON. */
export function readBodies(app: FastifyInstance, storage: Storage, strangersTime = STRANGERS_TIME): void {
  // bodies that are read whole: their bytes are counted too when they come without a length
  app.addHook('onRoute', (route) => {
    const isSmall = route.config?.takes === undefined;
    if (isSmall) route.bodyLimit ??= route.config?.open === true ? MOST_FROM_STRANGERS : MOST_SMALL;
  });
  app.addHook('onRequest', async (request) => {
    refuseTooLarge(request, limitsFor(request, storage).maxRequestBytes);
    if (request.routeOptions.config.open === true && !isRead(request)) hurry(request, strangersTime);
    // A body without a route is not received.
    if (request.is404 && !isRead(request)) throw notFound('There is nothing at this address.');
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
/** Maximum body of a request for a route that does not say what it takes. Bytes. */
const MOST_SMALL = 256 * 1024;
/** How long the body of a request without a session may take. Milliseconds. */
const STRANGERS_TIME = 30_000;

/** The limits of a request. Unless its route says what it takes, its body is small and carries no files. */
function limitsFor({ is404, routeOptions: { config } }: FastifyRequest, { limits }: Storage): UploadLimits {
  const isForStrangers = is404 || config.open === true;
  if (isForStrangers) return { ...limits, maxRequestBytes: MOST_FROM_STRANGERS, maxFiles: 0 };
  if (config.takes === undefined) return { ...limits, maxRequestBytes: MOST_SMALL, maxFiles: 0 };
  if (config.takes === 'files') return limits;
  return config.takes === 'piece' ? { ...limits, maxFiles: 0 } : { ...limits, ...config.takes };
}

function isRead({ method }: FastifyRequest): boolean {
  return method === 'GET' || method === 'HEAD';
}

/** Ends the connection of a body that takes too long: a few hundred of them would hold all connections for as long. */
function hurry({ raw }: FastifyRequest, time: number): void {
  const timer = setTimeout(() => raw.destroy(), time).unref();
  const stop = () => clearTimeout(timer);
  raw.once('end', stop).once('close', stop);
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
