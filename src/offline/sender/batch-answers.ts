import { BATCH_ANSWER_TYPE, type BatchAnswer } from '../../domain/protocol/batch.ts';
import { CHANGES_PATH } from '../../domain/protocol/capabilities.ts';
import type { Answer } from '../../domain/outbox/classify.ts';
import { writeGuarded } from './anti-forgery.ts';
import { type BatchMember, batchBody } from './batch-body.ts';
import { answerOf, headersFor, parsed, request } from './http.ts';
import { type Patience, patienceOf } from './patience.ts';
import type { Sender } from './sender.ts';
import { timeoutOf } from './time-limits.ts';

/** One change's answer in a batch. */
export interface OwnAnswer {
  readonly key: string;
  readonly answer: Answer;
}

/** What is known of a batch when its answers have come to their end, or were cut. */
export interface Posted {
  /** The answer that was given in place of theirs. */
  readonly instead: Answer | undefined;
  /** The anti-forgery cookie that it went with. */
  readonly cookie: string | undefined;
}

/** A server that says nothing for so long, not even that it lives, is given up. Milliseconds. */
const SILENCE = 30_000;

/** Sends a batch. `told` gets the answers as they come, and the next ones are read when it is done. */
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
    const response = await writeGuarded(environment, session.token, undefined, (guard, sent) => {
      cookie = sent;
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

/** Whole lines, as many as come together, until the answer ends or is cut. What has no end of a line is no answer. */
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

/** Empty lines are signs of life. What cannot be read tells nothing: the change is asked for by its key. */
function answerIn(line: string): OwnAnswer[] {
  const told = parsed(line) as BatchAnswer | undefined;
  if (typeof told?.key !== 'string') return [];
  const { key, status, body, retryAfter } = told;
  const wait = retryAfter === undefined ? {} : { retryAfter: retryAfter * 1_000 };
  return [{ key, answer: { status, redirected: false, json: true, body, ...wait } }];
}
