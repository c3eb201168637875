import { BATCH_ANSWER_TYPE, type BatchAnswer } from '../../domain/protocol/batch.ts';
import { CHANGES_PATH } from '../../domain/protocol/capabilities.ts';
import type { Answer } from '../../domain/outbox/classify.ts';
import { writeGuarded } from './anti-forgery.ts';
import { type BatchMember, batchBody } from './batch-body.ts';
import { answerOf, headersFor, parsed, request } from './http.ts';
import { type Patience, patienceOf } from './patience.ts';
import { assertMayLeave, type Sender } from './sender.ts';
import { timeoutOf } from './time-limits.ts';

/** The answer to one change of a batch. */
export interface OwnAnswer {
  readonly key: string;
  readonly answer: Answer;
}

/** The state of a batch after its answers have ended or were cut. */
export interface Posted {
  /** A single answer to the batch as a whole, in place of its changes' answers. */
  readonly instead: Answer | undefined;
  /** The anti-forgery cookie that was sent. */
  readonly cookie: string | undefined;
}

/** A batch without any sign of life for this long times out. Milliseconds. */
const SILENCE = 30_000;

/** Sends a batch. Passes answers to `told` as they arrive, and reads on when it resolves. */
export async function postBatch(
  sender: Sender,
  members: readonly BatchMember[],
  told: (answers: readonly OwnAnswer[]) => Promise<void>,
): Promise<Posted> {
  const { environment, session } = sender;
  const { body, bytes } = batchBody(members);
  let cookie: string | undefined;
  const patience = patienceOf(environment, timeoutOf(bytes));
  try {
    const response = await writeGuarded(environment, session.token, undefined, async (guard, sent) => {
      cookie = sent;
      if (members[0] !== undefined) await assertMayLeave(sender, members[0].entry);
      const json = typeof body === 'string' ? { 'Content-Type': 'application/json' } : {};
      const headers = { ...headersFor(session.token), ...json, ...guard };
      const init = { method: 'POST', headers, body, signal: patience.signal };
      return patience.bound(request(environment, CHANGES_PATH, init)).catch(() => undefined);
    });
    if (response === undefined) return { instead: undefined, cookie };
    if (!isStream(response)) {
      const whole = patience.bound(answerOf(environment, response));
      return { instead: await whole.catch(() => undefined), cookie };
    }
    for await (const lines of linesOf(response, patience)) {
      patience.renew(SILENCE);
      await told(lines.flatMap(answerIn));
    }
    return { instead: undefined, cookie };
  } finally {
    patience.end();
  }
}

function isStream({ ok, headers }: Response): boolean {
  return ok && (headers.get('Content-Type') ?? '').startsWith(BATCH_ANSWER_TYPE);
}

/** Yields complete lines, as many as arrive together, until the answer ends or is cut. An unfinished line is no answer. */
async function* linesOf({ body }: Response, { bound }: Patience): AsyncGenerator<string[]> {
  const reader = body?.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  for (;;) {
    const read = reader && (await bound(reader.read()).catch(() => undefined));
    if (read?.value === undefined) return;
    const lines = (rest + decoder.decode(read.value, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    yield lines;
  }
}

/** Parses one line. Empty lines are heartbeats. An unreadable line yields nothing: its change is looked up by its key. */
function answerIn(line: string): OwnAnswer[] {
  const told = parsed(line) as BatchAnswer | undefined;
  if (typeof told?.key !== 'string') return [];
  const { key, status, body, retryAfter } = told;
  const wait = retryAfter === undefined ? {} : { retryAfter: retryAfter * 1_000 };
  return [{ key, answer: { status, redirected: false, json: true, body, ...wait } }];
}
