import type { FastifyInstance } from 'fastify';
import { SESSIONS_PATH } from '../../src/domain/protocol/sessions.ts';
import { notFound } from '../errors/refusal.ts';
import { audit } from '../security/audit.ts';
import { senderOf } from '../security/session.ts';
import type { Accounts } from '../stores/store.ts';

type ById = { Params: { id: string } };

/** Routes for one's own sessions: list, end one, end all others. */
export function sessionRoutes(app: FastifyInstance, { accounts }: { readonly accounts: Accounts }): void {
  app.get(SESSIONS_PATH, async (request) => {
    const { user, tokenHash } = senderOf(request);
    const sessions = await accounts.sessions(user.id);
    return sessions.map((session) => ({ ...session, isThis: session.id === tokenHash }));
  });
  app.post<ById>(`${SESSIONS_PATH}/:id/end`, async (request) => {
    const { user } = senderOf(request);
    const ended = await accounts.endSession(user.id, request.params.id);
    if (!ended) throw notFound('This session has ended already.');
    audit(request, 'session ended', user.email);
    return { message: 'Device logged out' };
  });
  app.post(`${SESSIONS_PATH}/end-others`, async (request) => {
    const { user, tokenHash } = senderOf(request);
    await accounts.endOtherSessions(user.id, tokenHash);
    audit(request, 'other sessions ended', user.email);
    return { message: 'Signed out everywhere else' };
  });
}
