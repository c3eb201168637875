import { resolve } from 'node:path';
import fastify, { type FastifyReply, type FastifyRequest } from 'fastify';
import { settingsRoute } from '../../server/protocol/settings-json.ts';
import { webAppRoute } from '../../server/protocol/web-app.ts';
import { readSettings } from '../../server/settings/settings.ts';
import type { ContractOnlyBackend } from './contract-only-server.ts';

/**
 * Hosts the built app beside a stock back end, as any web server could: the app's files, and the back end's own answers to
 * everything below /api and /uploads. This repository's server answers no call.
 */
export async function hostBeside(backend: ContractOnlyBackend): Promise<{ port: number; close(): Promise<void> }> {
  const app = fastify({ bodyLimit: 64 * 1024 * 1024, forceCloseConnections: true });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, async (_request: FastifyRequest, body: Buffer) => body);
  for (const path of ['/api/*', '/uploads/*']) {
    app.all(path, async (request, reply) => passOn(backend, request, reply));
  }
  settingsRoute(app, readSettings({}));
  webAppRoute(app, { appDir: resolve('dist') });
  const origin = await app.listen({ host: '127.0.0.1', port: 0 });
  return { port: Number(new URL(origin).port), close: () => app.close() };
}

async function passOn(backend: ContractOnlyBackend, request: FastifyRequest, reply: FastifyReply) {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) headers.set(name, [value ?? ''].flat().join(', '));
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  const body = isRead || request.body === undefined ? null : new Uint8Array(request.body as Buffer);
  const asked = new Request(`http://back-end.test${request.url}`, { method: request.method, headers, body });
  const answer = await backend.handle(asked);
  for (const [name, value] of answer.headers) if (name !== 'set-cookie') reply.header(name, value);
  for (const cookie of answer.headers.getSetCookie()) reply.header('set-cookie', cookie);
  return reply.code(answer.status).send(Buffer.from(await answer.arrayBuffer()));
}
