import { PassThrough } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  type AnswersByKey,
  BATCH_ANSWER_TYPE,
  MOST_BATCH_BYTES,
  MOST_BATCHED,
} from '../../src/domain/protocol/batch.ts';
import { CHANGES_PATH } from '../../src/domain/protocol/capabilities.ts';
import { UNSETTLED } from '../../src/domain/protocol/unsettled.ts';
import { Refusal } from '../errors/refusal.ts';
import type { Caller } from '../stores/store.ts';
import { discard } from '../uploads/storage.ts';
import { batchIn, type ReceivedBatch } from './batch-form.ts';
import { BatchRun } from './batch-run.ts';
import { callerOf } from './caller.ts';
import { refusalOf } from './errors.ts';
import { isKey } from './idempotency-key.ts';
import type { ChangeDesk } from './make-change.ts';

/** Heartbeat interval: a connection that is silent for longer is closed, here or by a proxy. Milliseconds. */
const SIGN_OF_LIFE_EVERY = 15_000;
/** Maximum number of inline files in a batch. */
const MOST_PARTS = 200;

/** Routes for several changes in one request, each with its own answer, and for looking up several keys at once. */
export function batchRoutes(api: FastifyInstance, desk: ChangeDesk): void {
  const running = new Set<Promise<void>>();
  let isEnding = false;
  api.addHook('preClose', async () => void (isEnding = true));
  // the database stays open until running batches have finished
  api.addHook('onClose', async () => void (await Promise.allSettled(running)));
  const takes = { maxRequestBytes: MOST_BATCH_BYTES, maxFiles: MOST_PARTS };
  api.post(CHANGES_PATH, { config: { takes } }, async (request, reply) => {
    const lines = new PassThrough();
    const begun = await begin(desk, request, reply);
    const work = carryOut(desk, { ...begun, request, lines, isEnding: () => isEnding });
    running.add(work);
    void work.finally(() => running.delete(work));
    reply.type(BATCH_ANSWER_TYPE).header('X-Accel-Buffering', 'no');
    return reply.send(lines);
  });
  api.get<{ Querystring: { keys?: string | string[] } }>(CHANGES_PATH, async (request, reply) => {
    reply.header('Cache-Control', 'no-store');
    return answersTo(desk, callerOf(request, reply), keysIn(request.query.keys ?? ''));
  });
}

/** A batch whose keys are registered. */
interface Begun {
  readonly batch: ReceivedBatch;
  readonly run: BatchRun;
}

/** Throws before any change has started. */
async function begin(desk: ChangeDesk, request: FastifyRequest, reply: FastifyReply): Promise<Begun> {
  const batch = batchIn(request);
  const { signal: _goesOn, ...sender } = callerOf(request, reply);
  const caller: Caller = { ...sender, setCookie: () => undefined };
  const asRefusal = (error: unknown) => loggedRefusal(error, request);
  const run = await BatchRun.begin({ desk, caller, batch, asRefusal });
  // a form's files are removed when the answer starts, but the batch needs them longer
  request.body = undefined;
  return { batch, run };
}

/** A running batch. */
interface Way extends Begun {
  readonly request: FastifyRequest;
  readonly lines: PassThrough;
  /** True once the server is shutting down: no further change starts. */
  readonly isEnding: () => boolean;
}

/** Runs the batch to its end even if the sender has gone, as for a single change. */
function carryOut(desk: ChangeDesk, { request, batch, run, lines, isEnding }: Way): Promise<void> {
  const alive = setInterval(() => lines.write('\n'), SIGN_OF_LIFE_EVERY);
  // a disconnected device is no error
  lines.on('error', () => undefined);
  const work = async () => {
    try {
      for await (const answer of run.answers()) {
        if (!lines.destroyed) lines.write(`${JSON.stringify(answer)}\n`);
        if (isEnding()) break;
      }
    } finally {
      clearInterval(alive);
      await discard(desk.storage, batch.parts).finally(() => lines.end());
    }
  };
  return work().catch((err: unknown) => request.log.error({ err }, 'batch failed'));
}

function loggedRefusal(err: unknown, request: FastifyRequest): Refusal {
  const refusal = refusalOf(err, request);
  if (refusal.status >= 500) request.log.error({ err }, 'change failed');
  return refusal;
}

async function answersTo({ store, waiting }: ChangeDesk, caller: Caller, keys: string[]): Promise<AnswersByKey> {
  // as entries: a key may have the name of a property that every object has
  const answers: [string, AnswersByKey['answers'][string]][] = [];
  for (const key of keys) {
    const answer = (await waiting.has(caller.user.id, key))
      ? { status: 409 }
      : await store.answerTo(caller, key).then(
          (body) => (body === undefined ? { status: 404 } : { status: 200, body }),
          (error: unknown) => {
            if (error instanceof Refusal && error.status === 409) {
              // what waits for its sender says so
              return error.body.code === UNSETTLED ? { status: 409, body: error.body } : { status: 409 };
            }
            throw error;
          },
        );
    answers.push([key, answer]);
  }
  return { answers: Object.fromEntries(answers) };
}

function keysIn(text: string | string[]): string[] {
  const keys = typeof text === 'string' ? [...new Set(text.split(','))] : [];
  if (keys.length > 0 && keys.length <= MOST_BATCHED && keys.every(isKey)) return keys;
  throw new Refusal(400, { message: `Ask with ?keys= for 1 to ${MOST_BATCHED} keys, separated by commas.` });
}
