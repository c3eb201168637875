import type { FastifyInstance } from 'fastify';
import { CAPABILITIES_PATH, type Capabilities } from '../../src/domain/protocol/capabilities.ts';
import type { Settings } from '../settings.ts';
import { PICTURE_WIDTHS } from '../uploads/pictures.ts';

/** What a server can do that keeps the records itself. */
export function ownCapabilities(settings: Settings): Capabilities {
  return {
    server: 'voltdesk',
    idempotencyKeys: true,
    versions: true,
    imageSizes: PICTURE_WIDTHS,
    history: true,
    fullLists: true,
    changesByKey: true,
    limits: {
      maxFileBytes: settings.maxFileBytes,
      maxRequestBytes: settings.maxRequestBytes,
      maxFilesPerRequest: settings.maxFiles,
    },
  };
}

/** Tells what this server can do beyond the contract. */
export function capabilitiesRoute(app: FastifyInstance, capabilities: Capabilities): void {
  app.get(CAPABILITIES_PATH, { config: { open: true } }, async (_request, reply) => {
    reply.header('Cache-Control', 'no-cache');
    return capabilities;
  });
}
