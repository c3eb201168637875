import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { CAPABILITIES_PATH, type Capabilities } from '../../src/domain/protocol/capabilities.ts';
import { MOST_BATCH_BYTES, MOST_BATCHED } from '../../src/domain/protocol/batch.ts';
import { STAGED_FROM_BYTES } from '../../src/domain/protocol/staging.ts';
import { NOTE_COOKIE, NOTE_LASTS } from '../../src/domain/protocol/device-notes.ts';
import type { Settings } from '../settings/settings.ts';
import { PICTURE_WIDTHS } from '../uploads/picture-sizes.ts';

/** The format of a device note. */
const NOTE = /^[\w-]{1,64}$/;

/** The capabilities of a server with its own store. */
export function ownCapabilities(settings: Settings): Capabilities {
  return {
    server: 'voltdesk',
    idempotencyKeys: true,
    versions: true,
    imageSizes: PICTURE_WIDTHS,
    history: true,
    activity: true,
    fullLists: true,
    changesByKey: true,
    feed: true,
    presence: true,
    people: true,
    secondFactor: true,
    kept: true,
    ...(settings.content === 'off' ? {} : { content: true }),
    ...(settings.trashDays === 0 ? {} : { trash: { days: settings.trashDays } }),
    staging: { fromBytes: STAGED_FROM_BYTES },
    batches: { maxChanges: MOST_BATCHED, maxBytes: MOST_BATCH_BYTES },
    limits: {
      maxFileBytes: settings.maxFileBytes,
      maxRequestBytes: settings.maxRequestBytes,
      maxFilesPerRequest: settings.maxFiles,
    },
  };
}

/** The route that reports what this server can do beyond the contract. */
export function capabilitiesRoute(app: FastifyInstance, capabilities: Capabilities): void {
  app.get(CAPABILITIES_PATH, { config: { open: true } }, async (request, reply) => {
    reply.header('Cache-Control', 'no-cache');
    keepDeviceNotes(request, reply);
    return capabilities;
  });
}

/** Renews the notes of a device as cookies of this server (src/domain/protocol/device-notes.ts). */
function keepDeviceNotes({ cookies, protocol }: FastifyRequest, reply: FastifyReply): void {
  for (const [name, value] of Object.entries(cookies)) {
    if (!name.startsWith(NOTE_COOKIE) || value === undefined || !NOTE.test(value)) continue;
    reply.setCookie(name, value, { path: '/', sameSite: 'lax', maxAge: NOTE_LASTS, secure: protocol === 'https' });
  }
}
