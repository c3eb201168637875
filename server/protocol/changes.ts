import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { CHANGES_PATH } from '../../src/domain/protocol/capabilities.ts';
import { type Again, AGAIN_HEADER, readAgain } from '../../src/domain/protocol/kept.ts';
import { STAGED_FILES } from '../../src/domain/protocol/staging.ts';
import { OUTCOME, type OutcomeDecision } from '../../src/domain/protocol/unsettled.ts';
import { inFlight, invalid, Refusal } from '../errors/refusal.ts';
import type { ChangeAnswer, Target } from '../stores/store.ts';
import { callerOf } from './caller.ts';
import { type ChangeDesk, makeChange } from './make-change.ts';
import { insertNamed, namedFiles } from './named-files.ts';
import { pathOf } from './path.ts';
import { formOf } from './submitted.ts';

/**
 * Looks up the answer to an administrator's own change by its `Idempotency-Key`. After a lost answer, the sender asks instead of
 * sending all its photos again. Answers 404 if no change was made under the key, and 409 while one is in progress.
 */
export function changesRoute(app: FastifyInstance, { store, waiting }: ChangeDesk): void {
  app.get<{ Params: { key: string } }>(`${CHANGES_PATH}/:key`, async (request, reply) => {
    const caller = callerOf(request, reply);
    if (await waiting.has(caller.user.id, request.params.key)) throw inFlight();
    const answer = await store.answerTo(caller, request.params.key);
    if (answer === undefined) throw new Refusal(404, { message: 'No change has been made with this key.' });
    reply.header('Cache-Control', 'no-store');
    return answer;
  });
}

/**
 * Lets the sender of an unsettled change (409 `unsettled`) decide: `look` again, it is `there` as this record, or `give-up`.
 * Answers like the
 * lookup of several keys: 200, 404 once it is given up, or 409 while it is open.
 */
export function outcomeRoute(app: FastifyInstance, { store }: ChangeDesk): void {
  app.post<{ Params: { key: string } }>(`${CHANGES_PATH}/:key/${OUTCOME}`, async (request, reply) => {
    const caller = callerOf(request, reply);
    reply.header('Cache-Control', 'no-store');
    const decided = decisionIn(formOf(request).texts);
    const answer = await store.decide?.(caller, request.params.key, decided).catch(stillOpen);
    if (answer instanceof Refusal) return { status: answer.status, body: answer.body };
    return answer === undefined ? { status: 404 } : { status: 200, body: answer };
  });
}

/** A change that is still open is an outcome too. */
function stillOpen(error: unknown): Refusal {
  if (error instanceof Refusal && error.status === 409) return error;
  throw error;
}

function decisionIn(texts: ReadonlyMap<string, string>): OutcomeDecision {
  const decision = texts.get('decision');
  const id = Number(texts.get('id'));
  if (decision === 'there' && Number.isSafeInteger(id) && id > 0) return { decision, id };
  if (decision === 'look' || decision === 'give-up') return { decision };
  throw invalid({ decision: ['It is look, there (with an id) or give-up.'] });
}

/** Makes the requested change. The answer to a repeat carries `Idempotent-Replayed: true`. */
export async function answerChange(
  desk: ChangeDesk,
  request: FastifyRequest,
  reply: FastifyReply,
  target: Target,
): Promise<ChangeAnswer> {
  const { texts: sent, files } = formOf(request);
  const texts = new Map(sent);
  texts.delete(STAGED_FILES);
  const caller = callerOf(request, reply);
  const key = [request.headers['idempotency-key'] ?? []].flat()[0];
  if (key !== undefined && (await desk.waiting.has(caller.user.id, key))) throw inFlight();
  const again = againIn(request);
  const ifMatch = request.headers['if-match'];
  const { answer, isReplayed } = await makeChange(desk, caller, {
    target,
    path: pathOf(request),
    texts,
    files: insertNamed(files, namedFiles(sent.get(STAGED_FILES))),
    ...(ifMatch === undefined ? {} : { ifMatch }),
    ...(key === undefined ? {} : { key }),
    ...(again === undefined ? {} : { again }),
  });
  if (isReplayed) reply.header('Idempotent-Replayed', 'true');
  return answer;
}

/** What a change that is sent again was given the first time. A header that cannot be read says nothing. */
function againIn({ headers }: FastifyRequest): Again | undefined {
  try {
    return readAgain(JSON.parse([headers[AGAIN_HEADER.toLowerCase()] ?? ''].flat()[0] ?? ''));
  } catch {
    return undefined;
  }
}
