import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { pathOf } from './path.ts';
import { APP_POLICY } from '../security/headers.ts';
import { sendEncodable } from './send.ts';
import { notFound } from '../errors/refusal.ts';
import { earlierAppFiles } from '../ops/earlier-app-files.ts';
import { type AppFile, appFiles, isHashed } from './app-files.ts';

/** Milliseconds. */
const HOUR = 60 * 60 * 1000;

/** The served app. */
interface WebApp {
  readonly appDir: string;
  /** The folder for files of earlier builds. Absent if they are not kept. */
  readonly earlierDir?: string;
  /** Called for each request of the page. */
  readonly onPage?: (request: FastifyRequest, reply: FastifyReply) => void;
}

/** Serves the built app. Every other address that is not requested by a script is an app route and gets the page. */
export function webAppRoute(app: FastifyInstance, { appDir, earlierDir, onPage = () => undefined }: WebApp): void {
  const files = appFiles(appDir);
  const earlier = earlierDir === undefined ? undefined : keepEarlier(app, appDir, earlierDir);
  app.setNotFoundHandler(async (request, reply) => {
    const path = pathOf(request);
    if (!isRead(request) || isServerOwn(path)) throw notFound('There is nothing at this address.');
    const file =
      (await files.find(path === '/' ? '/index.html' : path)) ??
      (await earlier?.find(path)) ??
      (wantsPage(request) ? await files.find('/index.html') : undefined);
    if (file === undefined) throw notFound('There is nothing at this address.');
    if (file.path === '/index.html') {
      earlier?.noteOf(file);
      onPage(request, reply);
    }
    return send(request, reply, file);
  });
}

/** Keeps the app's files for pages of earlier builds, from when the server listens. */
function keepEarlier(app: FastifyInstance, appDir: string, folder: string) {
  const earlier = earlierAppFiles(appDir, folder, Date.now);
  let page: AppFile | undefined;
  let noting = Promise.resolve();
  const note = () => {
    noting = noting
      .then(earlier.note)
      .catch((err: unknown) => app.log.warn({ err }, 'files of the app are not kept for open pages'));
    return noting;
  };
  app.addHook('onListen', note);
  const timer = setInterval(note, HOUR).unref();
  app.addHook('onClose', async () => {
    clearInterval(timer);
    await noting;
  });
  return {
    find: earlier.find,
    /** A page other than the last one belongs to another build. */
    noteOf(served: AppFile) {
      if (page !== undefined && page !== served) void note();
      page = served;
    },
  };
}

function send(request: FastifyRequest, reply: FastifyReply, file: AppFile) {
  const caching = isHashed(file.path) ? 'public, max-age=31536000, immutable' : 'no-cache';
  reply.headers({ 'Content-Security-Policy': APP_POLICY, 'Cache-Control': caching }).type(file.type);
  return sendEncodable(request, reply, file.body);
}

function isRead(request: FastifyRequest): boolean {
  return request.method === 'GET' || request.method === 'HEAD';
}

function isServerOwn(path: string): boolean {
  return /^\/(api|uploads|content)(\/|$)/.test(path);
}

function wantsPage(request: FastifyRequest): boolean {
  return (request.headers.accept ?? '').includes('text/html');
}
