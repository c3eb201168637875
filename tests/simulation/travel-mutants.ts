import { BATCH_TEXT, type BatchAnswer, type BatchedChange } from '../../src/domain/protocol/batch.ts';
import { STAGING_PATH } from '../../src/domain/protocol/staging.ts';
import { USUAL } from './kept-case.ts';
import { type Fetch, type Mutant, onTheWire } from './mutant.ts';
import { HARMED_ON_ARRIVAL } from './own-schedules.ts';
import { answersIn, changesIn, isBatch } from './oracle/arrivals.ts';
import type { EventName, Schedule } from './scenario/schedule.ts';

/** Bugs that a sender of chunks and batches could have. */
export const TRAVEL_MUTANTS = {
  'no request for the offset of a file': onTheWire(['own'], (fetch) => async (address, init) => {
    const answer = await fetch(address, init);
    if (isStaging(address, init, 'POST') && answer.ok) answer.headers.set('upload-offset', '0');
    return answer;
  }),
  'a piece counted twice': onTheWire(['own'], (fetch) => async (address, init) => {
    const answer = await fetch(address, init);
    const offset = Number(answer.headers.get('upload-offset'));
    const twice = offset + (init.body instanceof ArrayBuffer ? init.body.byteLength : 0);
    if (isStaging(address, init, 'PATCH') && answer.ok) answer.headers.set('upload-offset', String(twice));
    return answer;
  }),
  'every piece from the start of its file': onTheWire(['own'], (fetch) => {
    const starts = new Map<string, ArrayBuffer>();
    return (address, init) => {
      if (!isStaging(address, init, 'PATCH') || !(init.body instanceof ArrayBuffer)) return fetch(address, init);
      const start = starts.get(address) ?? init.body;
      starts.set(address, start);
      return fetch(address, { ...init, body: fitted(start, init.body.byteLength) });
    };
  }),
  'a file damaged on the device sent anyway': onTheWire(['own'], (fetch) => (address, init) => {
    const isFirst = new Headers(init.headers).get('upload-offset') === '0';
    if (!isFirst || !(init.body instanceof ArrayBuffer)) return fetch(address, init);
    return fetch(address, { ...init, body: damaged(init.body) });
  }),
  'a file once stored treated as still stored': {
    servers: ['own'],
    tamper: (given, _kind, { notes }) => {
      const fetch: Fetch = async (address, init) => {
        const named = new Headers(init.headers).get('upload-metadata') ?? '';
        const length = notes.get(named);
        if (isStaging(address, init, 'POST') && length !== undefined) return staged(length);
        const answer = await given.fetch(address, init);
        if (isStaging(address, init, 'POST')) notes.set(named, new Headers(init.headers).get('upload-length') ?? '');
        return answer;
      };
      return { ...given, fetch };
    },
    schedule: HARMED_ON_ARRIVAL,
  },
  "a batch's first answer used for all": onTheWire(['own'], (fetch) => async (address, init) => {
    const answer = await fetch(address, init);
    return goesTogether(address, init) && answer.ok ? asAnsweredFirst(answer) : answer;
  }),
  'a later change of a record executed although the one before failed': {
    ...onTheWire(['own'], (fetch) => (address, init) => {
      const changes = goesTogether(address, init) ? changesIn(init.body) : [];
      if (changes.every(({ after }) => after === undefined)) return fetch(address, init);
      return oneByOne(changes, (change) => fetch(address, { ...init, body: withOnly(init.body, change) }));
    }),
    schedule: editedOnBothSides,
  },
} as const satisfies Record<string, Mutant>;

/**
 * The request of an edit is lost, and the record is edited again, here and by someone else, before the link returns. Both
 * edits are sent together, and the first gets a 412.
 */
function editedOnBothSides(seed: string): Schedule {
  const course: readonly (readonly [at: number, what: EventName])[] = [
    [20_000, 'update'],
    [20_500, 'radio off'],
    [35_000, 'update'],
    [40_000, 'edit elsewhere'],
    [45_000, 'radio on'],
  ];
  const events = course.map(([at, what]) => ({ at, what, seed: `both sides/${seed}/${at}` }));
  const faults = { 1: 'request lost' } as const;
  const plan = { events, faults, faultRate: 0, faultsEnd: 0, pages: 1, kinds: ['generators'] } as const;
  return { ...USUAL, ...plan, seed: `both sides/${seed}` };
}

function goesTogether(address: string, { method = 'GET' }: Parameters<Fetch>[1]): boolean {
  return isBatch({ method, path: new URL(address).pathname });
}

function isStaging(address: string, { method }: Parameters<Fetch>[1], wanted: 'POST' | 'PATCH'): boolean {
  return method === wanted && new URL(address).pathname.startsWith(STAGING_PATH);
}

function staged(offset: string): Response {
  const headers = { 'tus-resumable': '1.0.0', 'upload-offset': offset };
  return Object.defineProperty(new Response(null, { status: 201, headers }), 'text', { value: async () => '' });
}

/** Inverts the last byte and keeps the length. */
function damaged(bytes: ArrayBuffer): ArrayBuffer {
  const made = new Uint8Array(bytes.slice());
  made[made.length - 1] = 255 - (made.at(-1) ?? 0);
  return made.buffer;
}

/** Bytes cut or padded to this length. */
function fitted(bytes: ArrayBuffer, length: number): ArrayBuffer {
  const made = new Uint8Array(length);
  made.set(new Uint8Array(bytes.slice(0, length)));
  return made.buffer;
}

/** Gives every line the first one's answer, with its own key. */
function asAnsweredFirst(answer: Response): Response {
  const reader = answer.body?.getReader();
  let first: object | undefined;
  const inPlaceOf = (line: string) => {
    if (!line.startsWith('{')) return line;
    const own = JSON.parse(line) as { readonly key: string };
    first ??= own;
    return `${JSON.stringify({ ...first, key: own.key })}\n`;
  };
  const read = async () => {
    const next = await reader?.read();
    return { ...next, value: next?.value && Buffer.from(inPlaceOf(Buffer.from(next.value).toString())) };
  };
  // The simulated network's own replacement for a stream.
  Object.assign(answer.body ?? {}, { getReader: () => ({ read }) });
  return answer;
}

/** Sends each change in a batch of its own, whatever happened to the earlier ones. */
async function oneByOne(
  changes: readonly BatchedChange[],
  send: (change: BatchedChange) => Promise<Response>,
): Promise<Response> {
  const told = new Map<string, BatchAnswer>();
  const lines: string[] = [];
  let answer: Response | undefined;
  for (const { after, ...change } of changes) {
    const { version, id } = (told.get(after ?? '')?.body ?? {}) as { version?: string; id?: number };
    const follows = after === undefined ? {} : { ...(version && { version }), ...(id && { id: String(id) }) };
    answer = await send({ ...change, ...follows });
    if (!answer.ok) return answer;
    const text = await wholeOf(answer);
    for (const [key, one] of answersIn(Buffer.from(text))) told.set(key, one);
    lines.push(text);
  }
  return readAs(answer ?? new Response(), lines.join(''));
}

function withOnly(body: RequestInit['body'], change: BatchedChange): string | FormData {
  if (!(body instanceof FormData)) return JSON.stringify({ changes: [change] });
  const form = new FormData();
  for (const [name, value] of body) {
    if (typeof value !== 'string') form.append(name, value, value.name);
  }
  form.set(BATCH_TEXT, JSON.stringify([change]));
  return form;
}

async function wholeOf({ body }: Response): Promise<string> {
  const reader = body?.getReader();
  const pieces: Uint8Array[] = [];
  for (let next = await reader?.read(); next?.value !== undefined; next = await reader?.read()) pieces.push(next.value);
  return Buffer.concat(pieces).toString();
}

/** The answer with another text as its body. */
function readAs(answer: Response, text: string): Response {
  const values = [Buffer.from(text)];
  const read = async () => ({ value: values.shift(), done: values.length === 0 });
  Object.assign(answer.body ?? {}, { getReader: () => ({ read }) });
  return answer;
}
