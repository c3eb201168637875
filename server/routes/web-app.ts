import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { APP_POLICY } from '../plugins/security-headers.ts';
import { notFound } from '../refusal.ts';
import { type AppFile, appFiles } from '../storage/app-files.ts';

/** Names of files whose content never changes: the build puts a hash of it into the name. */
const HASHED = /^\/assets\/.+-[\w-]{8,}\.\w+$/;

/**
 * The built app. Every address that is no file and is not asked for by a script is the app's own route, so it gets the page.
 * `onPage` sees each request for the page.
 */
export function webAppRoute(
  app: FastifyInstance,
  appDir: string,
  onPage: (request: FastifyRequest, reply: FastifyReply) => void = () => undefined,
): void {
  const files = appFiles(appDir);
  app.setNotFoundHandler(async (request, reply) => {
    if (!isRead(request) || isServerOwn(request)) throw notFound('There is nothing at this address.');
    const path = pathOf(request);
    const file = (await files.find(path)) ?? (wantsPage(request) ? await files.find('/index.html') : undefined);
    if (file === undefined) throw notFound('There is nothing at this address.');
    if (file.path === '/index.html') onPage(request, reply);
    return send(request, reply, file);
  });
}

async function send(request: FastifyRequest, reply: FastifyReply, file: AppFile) {
  reply
    .headers({ 'Content-Security-Policy': APP_POLICY, ETag: file.etag, Vary: 'Accept-Encoding' })
    .header('Cache-Control', HASHED.test(file.path) ? 'public, max-age=31536000, immutable' : 'no-cache');
  if (request.headers['if-none-match'] === file.etag) return reply.code(304).send();
  const { encoding, bytes } = await file.encodedFor(request.headers['accept-encoding'] ?? '');
  if (encoding !== undefined) reply.header('Content-Encoding', encoding);
  return reply.code(200).type(file.type).header('Content-Length', bytes.length).send(bytes);
}

function pathOf(request: FastifyRequest): string {
  const path = request.url.split('?')[0] ?? '/';
  return path === '/' ? '/index.html' : path;
}

function isRead(request: FastifyRequest): boolean {
  return request.method === 'GET' || request.method === 'HEAD';
}

function isServerOwn(request: FastifyRequest): boolean {
  return /^\/(api|uploads)(\/|\?|$)/.test(request.url);
}

function wantsPage(request: FastifyRequest): boolean {
  return (request.headers.accept ?? '').includes('text/html');
}
