import type { FastifyInstance } from 'fastify';
import type { Settings } from '../settings.ts';

/** What the app shows of this installation; read at run time, so that a change needs no new build. */
export function settingsRoute(app: FastifyInstance, settings: Settings): void {
  const { brandLabel, locationLine, companyLabel, logoPath, forgotPasswordAddress } = settings;
  app.get('/settings.json', async (_request, reply) => {
    reply.header('Cache-Control', 'no-cache');
    return { brandLabel, locationLine, companyLabel, logoPath, forgotPasswordAddress };
  });
}
