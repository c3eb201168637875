import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import type { Services } from '../services.ts';

/** For whoever watches the server: alive, and able to work. */
export function healthRoutes(app: FastifyInstance, services?: Services): void {
  app.get('/healthz', { logLevel: 'silent' }, async () => ({ status: 'ok' }));
  app.get('/readyz', { logLevel: 'silent' }, async (request, reply) => {
    try {
      if (services !== undefined) await assertWorking(services);
      return { status: 'ready' };
    } catch (error) {
      request.log.error({ err: error }, 'not ready');
      return reply
        .code(503)
        .send({ status: 'not ready', message: 'The database or the uploads folder cannot be used.' });
    }
  });
}

async function assertWorking({ db, storage }: Services): Promise<void> {
  await sql`SELECT 1`.execute(db);
  await access(storage.folder, constants.W_OK);
}
