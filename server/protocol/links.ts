import type { FastifyInstance, FastifyRequest } from 'fastify';
import { LINK_PATH } from '../../src/domain/protocol/people.ts';
import { invalid } from '../errors/refusal.ts';
import { type Attempts, takeTry } from '../shared/attempts.ts';
import { audit } from '../security/audit.ts';
import { newPasswordErrors } from '../security/new-password.ts';
import { visitorOf } from '../security/visitor.ts';
import type { People } from '../stores/people.ts';
import { assertName } from './people.ts';
import { formOf, refuseMissing } from './submitted.ts';

/** Uses of links per address and minute: tokens are unguessable, but each use may cost a password hash. */
const TRIES_PER_ADDRESS = 20;

interface Desk {
  readonly people: People;
  readonly attempts: Attempts;
  /** Names of this installation, which make poor passwords. */
  readonly ownWords: readonly string[];
}

/** Routes for the holder of a link: see its purpose, and set a password with it once. */
export function linkRoutes(app: FastifyInstance, desk: Desk): void {
  app.post(`${LINK_PATH}/look`, { config: { open: true } }, async (request) => {
    await countUse(desk, request);
    return desk.people.look(tokenIn(request));
  });
  app.post(`${LINK_PATH}/take`, { config: { open: true } }, (request) => take(desk, request));
}

async function take(desk: Desk, request: FastifyRequest) {
  await countUse(desk, request);
  const token = tokenIn(request);
  const facts = await desk.people.look(token);
  const { texts } = formOf(request);
  const name = texts.get('name')?.trim() ?? facts.name;
  const password = texts.get('new_password') ?? '';
  refuseMissing({ name, new_password: password });
  assertName(name);
  const confirmation = texts.get('new_password_confirmation') ?? '';
  const errors = await newPasswordErrors(desk.ownWords, { ...facts, name }, { next: password, confirmation });
  if (Object.keys(errors).length > 0) throw invalid(errors);
  const { purpose, email } = await desk.people.take(token, { name, password });
  audit(request, purpose === 'invitation' ? 'invitation accepted' : 'password set by link', email);
  return { message: 'Your password is set. Please sign in.', email };
}

function countUse({ attempts }: Desk, request: FastifyRequest): Promise<void> {
  return takeTry(attempts, [{ key: `link ${visitorOf(request.ip)}`, most: TRIES_PER_ADDRESS }]);
}

function tokenIn(request: FastifyRequest): string {
  return formOf(request).texts.get('token') ?? '';
}
