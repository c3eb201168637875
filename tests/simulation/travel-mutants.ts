import { CHANGES_PATH } from '../../src/domain/protocol/capabilities.ts';
import { STAGING_PATH } from '../../src/domain/protocol/staging.ts';
import { type Fetch, type Mutant, onTheWire } from './mutant.ts';

/** Bugs that a sender of pieces and batches could have. */
export const TRAVEL_MUTANTS = {
  'the offset of a file not asked': onTheWire(['own'], (fetch) => async (address, init) => {
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
  'a file that was damaged on the device sent as it is': onTheWire(['own'], (fetch) => (address, init) => {
    const isFirst = new Headers(init.headers).get('upload-offset') === '0';
    if (!isFirst || !(init.body instanceof ArrayBuffer)) return fetch(address, init);
    return fetch(address, { ...init, body: damaged(init.body) });
  }),
  'a file that was there once taken as there': onTheWire(['own'], (fetch) => {
    const there = new Map<string, string>();
    return async (address, init) => {
      const named = new Headers(init.headers).get('upload-metadata') ?? '';
      const length = there.get(named);
      if (isStaging(address, init, 'POST') && length !== undefined) return staged(length);
      const answer = await fetch(address, init);
      if (isStaging(address, init, 'POST')) there.set(named, new Headers(init.headers).get('upload-length') ?? '');
      return answer;
    };
  }),
  "a batch's first answer taken for all": onTheWire(['own'], (fetch) => async (address, init) => {
    const answer = await fetch(address, init);
    const isBatch = init.method === 'POST' && new URL(address).pathname === CHANGES_PATH;
    return isBatch && answer.ok ? asAnsweredFirst(answer) : answer;
  }),
} as const satisfies Record<string, Mutant>;

function isStaging(address: string, { method }: Parameters<Fetch>[1], wanted: 'POST' | 'PATCH'): boolean {
  return method === wanted && new URL(address).pathname.startsWith(STAGING_PATH);
}

function staged(offset: string): Response {
  const headers = { 'tus-resumable': '1.0.0', 'upload-offset': offset };
  return Object.defineProperty(new Response(null, { status: 201, headers }), 'text', { value: async () => '' });
}

/** As many bytes, and the last of them another. */
function damaged(bytes: ArrayBuffer): ArrayBuffer {
  const made = new Uint8Array(bytes.slice());
  made[made.length - 1] = 255 - (made.at(-1) ?? 0);
  return made.buffer;
}

/** Bytes made as long as that. */
function fitted(bytes: ArrayBuffer, length: number): ArrayBuffer {
  const made = new Uint8Array(length);
  made.set(new Uint8Array(bytes.slice(0, length)));
  return made.buffer;
}

/** Each line with its own key, and with what the first one says. */
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
  // the simulated network's own stand-in for a stream
  Object.assign(answer.body ?? {}, { getReader: () => ({ read }) });
  return answer;
}
