import { createReadStream } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import { FORGOT_ROUTE } from '../../src/domain/protocol/people.ts';
import { isAddress, logoAddress, logoType } from '../settings/logo.ts';
import type { Settings } from '../settings/settings.ts';

/** True if forgotten passwords are reset by email. */
function sendsLinks({ smtpUrl, apiUrl }: Settings): boolean {
  return smtpUrl !== '' && apiUrl === '';
}

/** The settings that the app shows, read at run time so that changes need no build. */
export function settingsRoute(app: FastifyInstance, settings: Settings): void {
  const { brandLabel, locationLine, companyLabel, logoPath, siteUrl, sitePaths } = settings;
  const forgotPasswordAddress = settings.forgotPasswordAddress || (sendsLinks(settings) ? FORGOT_ROUTE : '');
  const names = { brandLabel, locationLine, companyLabel, logoPath: logoAddress(logoPath) };
  const told = { ...names, forgotPasswordAddress, siteUrl, sitePaths };
  app.get('/settings.json', async (_request, reply) => reply.header('Cache-Control', 'no-cache').send(told));
  const type = logoType(logoPath);
  if (type === undefined || isAddress(logoPath)) return;
  app.get(logoAddress(logoPath), async (_request, reply) =>
    reply.header('Cache-Control', 'no-cache').type(type).send(createReadStream(logoPath)),
  );
}
