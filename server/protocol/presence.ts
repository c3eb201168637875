import type { FastifyInstance } from 'fastify';
import { PRESENCE_PATH, readBeat } from '../../src/domain/protocol/presence.ts';
import { Refusal } from '../errors/refusal.ts';
import { senderOf } from '../security/session.ts';
import type { Presence } from '../shared/presence.ts';

/** The route that reports who else has a record open. */
export function presenceRoute(app: FastifyInstance, presence: Presence): void {
  app.post(PRESENCE_PATH, async (request) => {
    const beat = readBeat(request.body);
    if (beat === undefined) throw new Refusal(400, { message: 'This is not a record that is open.' });
    return { present: await presence.beat(senderOf(request).user, beat) };
  });
}
