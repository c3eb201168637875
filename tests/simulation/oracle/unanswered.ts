import type { BatchAnswer } from '../../../src/domain/protocol/batch.ts';
import type { WireAnswer, WireRequest } from '../servers/server.ts';
import { answersIn, changesIn, isBatch, targetOf } from './arrivals.ts';

/** Reads the answer that a server has stored with a change, as text. */
type Stored = (key: string) => Promise<string | undefined>;

/** Called when a request is over. Returns what the server executed without being able to answer. Real work. */
export type Unanswered = (answer: WireAnswer) => Promise<WireAnswer | undefined>;

/** Examines a request before it is executed, so that a repeat does not count as new. Real work. */
export async function watchAnswers(request: WireRequest, stored: Stored): Promise<Unanswered> {
  const keys = await keysOf(request);
  const before = new Set<string>();
  for (const key of keys) if ((await stored(key)) !== undefined) before.add(key);
  return async (answer) => {
    const heard = heardIn(request, answer);
    const answers: BatchAnswer[] = [];
    for (const key of keys) {
      const body = await stored(key);
      if (body === undefined) continue;
      const isOld = before.has(key) || heard.has(key);
      answers.push({ key, status: 200, body: JSON.parse(body) as object, ...(isOld ? { replayed: true } : {}) });
    }
    if (answers.every(({ replayed }) => replayed)) return undefined;
    const lines = answers.map((one) => JSON.stringify(isBatch(request) ? one : one.body));
    return { status: 200, headers: new Headers(), body: new Uint8Array(Buffer.from(lines.join('\n'))) };
  };
}

/** The keys of the changes whose sender learns that they were executed. */
function heardIn(request: WireRequest, { status, body }: WireAnswer): ReadonlySet<string> {
  if (status !== 200) return new Set();
  if (!isBatch(request)) return new Set([request.headers.get('idempotency-key') ?? '']);
  return new Set([...answersIn(body).values()].filter((one) => one.status === 200).map(({ key }) => key));
}

async function keysOf(request: WireRequest): Promise<readonly string[]> {
  const { headers, body } = request;
  if (!isBatch(request)) return targetOf(request) === undefined ? [] : [headers.get('idempotency-key') ?? ''];
  const type = headers.get('content-type') ?? '';
  const whole = new Response(body, { headers: { 'content-type': type } });
  return changesIn(type.startsWith('multipart/') ? await whole.formData() : await whole.text()).map(({ key }) => key);
}
