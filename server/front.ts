import type { FastifyInstance } from 'fastify';
import { newFastify } from './fastify.ts';
import { answerErrors } from './plugins/errors.ts';
import { passOn } from './plugins/pass-on.ts';
import { setSecurityHeaders } from './plugins/security-headers.ts';
import { healthRoutes } from './routes/health.ts';
import { settingsRoute } from './routes/settings-json.ts';
import { webAppRoute } from './routes/web-app.ts';
import type { Settings } from './settings.ts';

/** The server in front of an existing back end: it serves the app and passes everything else on. No database is opened. */
export async function buildFront(
  settings: Settings,
  { answerTime }: { answerTime?: number } = {},
): Promise<FastifyInstance> {
  const app = newFastify(settings);
  answerErrors(app);
  setSecurityHeaders(app);
  await passOn(app, settings.apiUrl, answerTime);
  settingsRoute(app, settings);
  healthRoutes(app);
  webAppRoute(app, settings.appDir);
  return app;
}
