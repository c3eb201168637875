import type { FastifyInstance } from 'fastify';
import { ACTIVITY_PATH } from '../../src/domain/activity.ts';
import { BACKUP_WORK_PATH, BACKUPS_PATH, DOWNLOADS_PATH, REHEARSALS_PATH } from '../../src/domain/protocol/backups.ts';
import { CONTENT_STATUS_PATH, CONTENT_TOKENS_PATH, SITE_CONTACT_PATH } from '../../src/domain/protocol/content.ts';
import { DEVICES_PATH } from '../../src/domain/protocol/devices.ts';
import { FEED_PATH, LIVE_PATH } from '../../src/domain/protocol/feed.ts';
import { HEALTH_PATH } from '../../src/domain/protocol/health.ts';
import { KEPT_PATH } from '../../src/domain/protocol/kept.ts';
import { NOTICES_PATH } from '../../src/domain/protocol/notices.ts';
import { INVITATIONS_PATH, PEOPLE_PATH, RESETS_PATH } from '../../src/domain/protocol/people.ts';
import { PRESENCE_PATH } from '../../src/domain/protocol/presence.ts';
import { REQUIREMENT_PATH, SECURITY_PATH } from '../../src/domain/protocol/second-factor.ts';
import { STAGING_PATH } from '../../src/domain/protocol/staging.ts';
import { SESSIONS_PATH } from '../../src/domain/protocol/sessions.ts';
import { TRASH_PATH } from '../../src/domain/protocol/trash.ts';
import { WEBHOOKS_PATH } from '../../src/domain/protocol/webhooks.ts';
import { CHANGES_PATH } from '../../src/domain/protocol/capabilities.ts';
import { RESOURCES } from '../../src/domain/resources/index.ts';
import { siteMeta } from '../../src/domain/resources/site-meta.ts';
import { allows, type Role } from '../../src/domain/roles.ts';
import { roleTooLow } from '../errors/refusal.ts';
import { senderOf } from './session.ts';

/**
 * THE table of calls: the least role for each. The server refuses to start if a route is neither listed here nor open to
 * everyone.
 */
export const LEAST_ROLE: ReadonlyMap<string, Role> = new Map<string, Role>([
  ['GET /api/user', 'viewer'],
  ['POST /api/logout', 'viewer'],
  ['POST /api/change-password', 'viewer'],
  ...RESOURCES.flatMap(({ endpoints }) => [
    [`GET ${endpoints.list}`, 'viewer'] as const,
    [`GET ${endpoints.single}/:id`, 'viewer'] as const,
    [`POST ${endpoints.create}`, 'editor'] as const,
    [`POST ${endpoints.single}/:id`, 'editor'] as const,
    [`POST ${endpoints.delete}/:id`, 'editor'] as const,
  ]),
  ['POST /api/delete-image/:id', 'editor'],
  [`GET ${siteMeta.endpoints.single}`, 'viewer'],
  [`POST ${siteMeta.endpoints.single}`, 'editor'],
  ['GET /api/get-generators-series', 'viewer'],
  ['GET /api/get-all-ups-types', 'viewer'],
  ['POST /api/get-gti-brands', 'viewer'],
  ['GET /api/history/:resource/:id', 'viewer'],
  [`GET ${TRASH_PATH}`, 'viewer'],
  [`GET ${TRASH_PATH}/files/:file`, 'viewer'],
  [`POST ${TRASH_PATH}/:resource/:id/restore`, 'editor'],
  [`POST ${TRASH_PATH}/:resource/:id/delete`, 'owner'],
  [`GET ${ACTIVITY_PATH}`, 'viewer'],
  // the answer to the caller's own change, also for callers who may make no other
  [`GET ${CHANGES_PATH}/:key`, 'viewer'],
  [`GET ${CHANGES_PATH}`, 'viewer'],
  [`POST ${CHANGES_PATH}`, 'editor'],
  [`GET ${KEPT_PATH}`, 'viewer'],
  [`POST ${STAGING_PATH}`, 'editor'],
  [`HEAD ${STAGING_PATH}/:sha256`, 'editor'],
  [`PATCH ${STAGING_PATH}/:sha256`, 'editor'],
  [`DELETE ${STAGING_PATH}/:sha256`, 'editor'],
  [`GET ${FEED_PATH}`, 'viewer'],
  [`GET ${LIVE_PATH}`, 'viewer'],
  [`POST ${PRESENCE_PATH}`, 'viewer'],
  [`GET ${SESSIONS_PATH}`, 'viewer'],
  [`POST ${SESSIONS_PATH}/:id/end`, 'viewer'],
  [`POST ${SESSIONS_PATH}/end-others`, 'viewer'],
  [`GET ${SECURITY_PATH}`, 'viewer'],
  [`POST ${SECURITY_PATH}/authenticator`, 'viewer'],
  [`POST ${SECURITY_PATH}/authenticator/take`, 'viewer'],
  [`POST ${SECURITY_PATH}/authenticator/remove`, 'viewer'],
  [`POST ${SECURITY_PATH}/passkeys/options`, 'viewer'],
  [`POST ${SECURITY_PATH}/passkeys`, 'viewer'],
  [`POST ${SECURITY_PATH}/passkeys/:id/rename`, 'viewer'],
  [`POST ${SECURITY_PATH}/passkeys/:id/remove`, 'viewer'],
  [`POST ${SECURITY_PATH}/recovery-codes`, 'viewer'],
  [`GET ${SITE_CONTACT_PATH}`, 'viewer'],
  [`GET ${CONTENT_STATUS_PATH}`, 'owner'],
  [`POST ${CONTENT_TOKENS_PATH}`, 'owner'],
  [`POST ${CONTENT_TOKENS_PATH}/:id/revoke`, 'owner'],
  [`GET ${WEBHOOKS_PATH}`, 'owner'],
  [`POST ${WEBHOOKS_PATH}`, 'owner'],
  [`POST ${WEBHOOKS_PATH}/:id/remove`, 'owner'],
  [`POST ${WEBHOOKS_PATH}/deliveries/:id/send-again`, 'owner'],
  [`GET ${HEALTH_PATH}`, 'owner'],
  [`GET ${NOTICES_PATH}`, 'owner'],
  [`GET ${DEVICES_PATH}`, 'owner'],
  [`POST ${DEVICES_PATH}/:id/forget`, 'owner'],
  [`GET ${BACKUPS_PATH}`, 'owner'],
  [`GET ${BACKUP_WORK_PATH}`, 'owner'],
  [`POST ${BACKUP_WORK_PATH}`, 'owner'],
  [`POST ${REHEARSALS_PATH}`, 'owner'],
  [`POST ${DOWNLOADS_PATH}`, 'owner'],
  [`GET ${PEOPLE_PATH}`, 'owner'],
  [`POST ${INVITATIONS_PATH}`, 'owner'],
  [`POST ${INVITATIONS_PATH}/:id/withdraw`, 'owner'],
  [`POST ${RESETS_PATH}/:id/withdraw`, 'owner'],
  [`POST ${PEOPLE_PATH}/:id/role`, 'owner'],
  [`POST ${PEOPLE_PATH}/:id/reset`, 'owner'],
  [`POST ${PEOPLE_PATH}/:id/end-sessions`, 'owner'],
  [`POST ${PEOPLE_PATH}/:id/remove`, 'owner'],
  [`POST ${PEOPLE_PATH}/:id/reset-second-factor`, 'owner'],
  [`POST ${REQUIREMENT_PATH}`, 'owner'],
]);

/** Requires the least role of a call on every route of this scope that is not open. Runs after authentication. */
export function requireRole(app: FastifyInstance): void {
  app.addHook('onRoute', ({ method, url, config }) => {
    if (config?.open === true) return;
    const missing = [method].flat().find((one) => leastRoleOf(one, url) === undefined);
    if (missing !== undefined)
      throw new Error(`${missing} ${url} is not in the table of server/security/least-role.ts.`);
  });
  app.addHook('onRequest', async (request) => {
    if (request.routeOptions.config.open === true) return;
    const least = leastRoleOf(request.method, request.routeOptions.url ?? '');
    const { role } = senderOf(request);
    if (least === undefined || role === undefined || !allows(role, least)) throw roleTooLow(role, least);
  });
}

function leastRoleOf(method: string, url: string): Role | undefined {
  const own = LEAST_ROLE.get(`${method} ${url}`);
  return own === undefined && method === 'HEAD' ? LEAST_ROLE.get(`GET ${url}`) : own;
}
