import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { pathOf } from './path.ts';
import { APP_POLICY } from '../security/headers.ts';
import { sendEncodable } from './send.ts';
import { notFound } from '../refusal.ts';
import { type AppFile, appFiles } from './app-files.ts';

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
    const path = pathOf(request);
    if (!isRead(request) || isServerOwn(path)) throw notFound('There is nothing at this address.');
    const file =
      (await files.find(path === '/' ? '/index.html' : path)) ??
      (wantsPage(request) ? await files.find('/index.html') : undefined);
    if (file === undefined) throw notFound('There is nothing at this address.');
    if (file.path === '/index.html') onPage(request, reply);
    return send(request, reply, file);
  });
}

function send(request: FastifyRequest, reply: FastifyReply, file: AppFile) {
  const caching = HASHED.test(file.path) ? 'public, max-age=31536000, immutable' : 'no-cache';
  reply.headers({ 'Content-Security-Policy': APP_POLICY, 'Cache-Control': caching }).type(file.type);
  return sendEncodable(request, reply, file.body);
}

function isRead(request: FastifyRequest): boolean {
  return request.method === 'GET' || request.method === 'HEAD';
}

function isServerOwn(path: string): boolean {
  return /^\/(api|uploads)(\/|$)/.test(path);
}

function wantsPage(request: FastifyRequest): boolean {
  return (request.headers.accept ?? '').includes('text/html');
}
