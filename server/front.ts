import type { FastifyInstance } from 'fastify';
import { newFastify, type TimeLimits } from './fastify.ts';
import { answerErrors } from './protocol/errors.ts';
import { passOn } from './stores/remote/proxy.ts';
import { setSecurityHeaders } from './security/headers.ts';
import { backEndReadiness } from './readiness.ts';
import { healthRoutes } from './protocol/health.ts';
import { settingsRoute } from './protocol/settings-json.ts';
import { webAppRoute } from './protocol/web-app.ts';
import type { Settings } from './settings.ts';

/** What a test puts in place of the real thing, in milliseconds. */
export interface FrontOverrides {
  /** How long the back end may take to answer. */
  readonly answerTime?: number;
  readonly now?: () => number;
  readonly timeLimits?: TimeLimits;
}

/** The server in front of an existing back end: it serves the app and passes everything else on. No database is opened. */
export async function buildFront(
  settings: Settings,
  { answerTime, now, timeLimits }: FrontOverrides = {},
): Promise<FastifyInstance> {
  const app = newFastify(settings, undefined, timeLimits);
  answerErrors(app);
  setSecurityHeaders(app);
  await passOn(app, settings.apiUrl, answerTime);
  settingsRoute(app, settings);
  healthRoutes(app, backEndReadiness(settings.apiUrl, now, answerTime));
  webAppRoute(app, settings.appDir);
  return app;
}
