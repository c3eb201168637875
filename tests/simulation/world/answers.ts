import type { Fault } from './faults.ts';
import type { Random } from './random.ts';
import type { WireAnswer } from '../servers/server.ts';

/** A JSON answer. */
export function answerOf(status: number, body: object, headers: Record<string, string> = {}): WireAnswer {
  return answered(status, { 'content-type': 'application/json', ...headers }, JSON.stringify(body));
}

/** A page instead of JSON. */
export function pageAnswer(status: number, headers: Record<string, string> = {}): WireAnswer {
  const text = '<!DOCTYPE html><title>Sign in</title>';
  return answered(status, { 'content-type': 'text/html; charset=UTF-8', ...headers }, text);
}

function answered(status: number, headers: Record<string, string>, text: string): WireAnswer {
  return { status, headers: new Headers(headers), body: new Uint8Array(Buffer.from(text)) };
}

/**
 * The answer that replaces the server's, which never sees the request. Undefined if the fault leaves the answer to the
 * server.
 */
export function brokenAnswer(fault: Fault, now: number, random: Random): WireAnswer | undefined {
  const seconds = random.between(1, 240);
  switch (fault) {
    case 'portal':
      return pageAnswer(200);
    case 'redirect':
      return pageAnswer(302, { location: '/login' });
    case '401':
      return answerOf(401, { message: 'Unauthenticated.' });
    case '409 in flight':
      return answerOf(409, { message: 'This change is being carried out.', code: 'in-flight' });
    case '412':
      return answerOf(412, { message: 'Changed meanwhile.', code: 'version-mismatch', version: 'other' });
    case '419':
      return answerOf(419, { message: 'CSRF token mismatch.' });
    case '422':
      return answerOf(422, { message: 'The given data was invalid.', errors: { name: ['The name is taken.'] } });
    case '429 seconds':
      return answerOf(429, { message: 'Too Many Attempts.' }, { 'retry-after': String(seconds) });
    case '429 date':
      return answerOf(
        429,
        { message: '' },
        dated(now, { 'retry-after': new Date(now + seconds * 1_000).toUTCString() }),
      );
    case '400':
    case '403':
    case '408':
    case '413':
    case '425':
    case '503':
      return answerOf(Number(fault), { message: '' });
    case '500 before':
      return answerOf(500, { message: 'Server Error' });
    case 'page with a long wait':
      return pageAnswer(503, { 'retry-after': String(7 * 24 * 3_600) });
    case '503 page':
      return pageAnswer(503, { 'retry-after': String(seconds) });
    default:
      return undefined;
  }
}

/** Adds the server's time, which every server sends. */
function dated(now: number, headers: Record<string, string>): Record<string, string> {
  return { ...headers, date: new Date(now).toUTCString() };
}

/** How an answer's body ends: whole, cut after a part of it, or never (it fails when the request is aborted). */
export type BodyEnd =
  | 'whole'
  /** From 0 up to 1. */
  | { readonly cutAt: number }
  | { readonly stalledUntil: AbortSignal | undefined; readonly fail: (work: () => void) => void };

/** The answer as script sees it. A redirect that was not followed is opaque. Reading a body that was cut fails. */
export function toResponse(answer: WireAnswer, end: BodyEnd): Response {
  const headers = new Headers([...answer.headers].filter(([name]) => name !== 'set-cookie'));
  const redirect = answer.status >= 300 && answer.status < 400 && answer.status !== 304;
  const response = new Response(null, { status: answer.status, headers });
  const body = () => endOf(answer, end);
  const stream = { getReader: () => readerOf(answer, end) };
  return Object.defineProperties(response, {
    ...(redirect ? { status: { value: 0 }, type: { value: 'opaqueredirect' }, ok: { value: false } } : {}),
    body: { value: stream },
    arrayBuffer: { value: async () => (await body()).slice().buffer },
    text: { value: async () => Buffer.from(await body()).toString() },
    json: { value: async () => JSON.parse(Buffer.from(await body()).toString()) as unknown },
  });
}

/** Reads a body line by line, as a browser delivers it. */
function readerOf({ body }: WireAnswer, end: BodyEnd) {
  const lines = linesOf(end === 'whole' ? body : body.subarray(0, Math.floor(body.length * shareOf(end))));
  const read = async () => {
    const value = lines.shift();
    if (value !== undefined) return { done: false, value };
    if (end === 'whole') return { done: true, value: undefined };
    return { done: false, value: await endOf({ body }, end) };
  };
  return { read };
}

/** The share of a body that arrives before it ends early. */
function shareOf(end: Exclude<BodyEnd, 'whole'>): number {
  return 'cutAt' in end ? end.cutAt : 1 / 2;
}

function linesOf(bytes: Uint8Array): Uint8Array[] {
  const lines: Uint8Array[] = [];
  for (let from = 0; from < bytes.length; ) {
    const next = bytes.indexOf(NEW_LINE, from);
    const to = next === -1 ? bytes.length : next + 1;
    lines.push(bytes.subarray(from, to));
    from = to;
  }
  return lines;
}

const NEW_LINE = 10;

async function endOf({ body }: Pick<WireAnswer, 'body'>, end: BodyEnd): Promise<Uint8Array> {
  if (end === 'whole') return body;
  if ('cutAt' in end) throw new TypeError('terminated');
  return new Promise((_, reject) => {
    const giveUp = () => end.fail(() => reject(new DOMException('Given up.', 'AbortError')));
    if (end.stalledUntil?.aborted) giveUp();
    else end.stalledUntil?.addEventListener('abort', giveUp);
  });
}
