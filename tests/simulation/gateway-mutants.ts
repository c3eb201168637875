import { StagingFolder } from '../../server/staging/staging-folder.ts';
import { RemoteFeed } from '../../server/stores/remote/feed.ts';
import type { OpenEntry } from '../../server/stores/remote/journal.ts';
import { NoAnswerError, NotSentError, type Transport, type WireAnswer } from '../../server/stores/remote/transport.ts';
import { SHARED_FILE } from './kept-at-a-gateway.ts';
import type { GatewayMutant, JournalWays } from './servers/gateway.ts';

/** The original method of the folder. */
const { find: findStaged } = StagingFolder.prototype;

/** Bugs that a gateway could have, injected one at a time from outside. The simulation must catch each. */
export const GATEWAY_MUTANTS = {
  'passed on before the journal says so': { journal: inMemoryUntilAnswered },
  'answered before the journal says so': {
    journal: ({ forget }) => ({ answer: async (entry) => forget(entry) }),
  },
  'an answer that is not kept': { journal: () => ({ answer: async () => undefined }) },
  'the key not looked up': {
    journal: ({ find }) => ({
      find: async (key) => {
        const entry = await find(key);
        return entry?.state === 'answered' ? undefined : entry;
      },
    }),
  },
  "a key answered with another change's answer": {
    journal: ({ answer }) => {
      let last: Parameters<typeof answer>[1] | undefined;
      return {
        answer: async (entry, given, files) => {
          const { message, id, version } = last ?? given;
          last = given;
          await answer(entry, { message, ...(id && { id }), ...(version && { version }) }, files);
        },
      };
    },
  },
  'a key answered to whoever asks': {
    journal: ({ find }) => ({
      find: async ({ userId, key }) => (await find({ userId, key })) ?? find({ userId: userId === 1 ? 2 : 1, key }),
    }),
  },
  'the list read after the request instead of before': {
    toBackEnd: (send) => {
      const rows = new Map<string, WireAnswer>();
      return async (request) => {
        const isList = request.method === 'GET' && /^\/api\/get-(?!single)/.test(request.path);
        const [list = ''] = request.path.split('?');
        const known = rows.get(list);
        if (isList && known !== undefined) return known;
        const answer = await send(request);
        if (isList && answer.status === 200) rows.set(list, answer);
        return answer;
      };
    },
  },
  'the version not checked': { fromDevice: (headers) => headers.delete('if-match') },
  'a record remembered instead of read again': { toBackEnd: remembering(/^\/api\/get-single-/) },
  'passed on again while the first may still arrive': { longestRequest: 0 },
  'no answer taken for not sent': {
    toBackEnd: (send) => (request) =>
      send(request).catch((error: unknown) => {
        throw error instanceof NoAnswerError ? new NotSentError(error.message) : error;
      }),
  },
  'no answer taken for success': {
    toBackEnd: (send) => (request) =>
      send(request).catch((error: unknown) => {
        if (request.method === 'POST' && error instanceof NoAnswerError) return said(200, 'Done.');
        throw error;
      }),
  },
  'not sent taken for success': {
    toBackEnd: (send) => (request) =>
      send(request).catch((error: unknown) => {
        if (request.method === 'POST' && error instanceof NotSentError) return said(200, 'Done.');
        throw error;
      }),
  },
  'a server error taken for "nothing happened"': {
    toBackEnd: (send) => async (request) => {
      const answer = await send(request);
      return request.method === 'POST' && answer.status >= 500 ? said(503, 'Service Unavailable') : answer;
    },
  },
  'pictures not compared by their bytes': {
    toBackEnd: (send) => async (request) =>
      request.path.startsWith('/uploads/') ? said(404, 'Not Found') : send(request),
  },
  'a refusal taken for success': {
    toBackEnd: (send) => async (request) => {
      const answer = await send(request);
      return request.method === 'POST' && answer.status === 422 ? said(200, 'Done.') : answer;
    },
  },
  'what was open forgotten at the start': {
    journal: ({ open, forget }) => {
      const cleared = open().then((entries) => Promise.all(entries.map(forget)));
      return { open: async () => (await cleared, open()) };
    },
  },
  'what was open left alone at the start': { journal: () => ({ open: async () => [] }) },
  'the hash of a staged file not checked': { staged: { isRight: async () => true } },
  'an upload shown to whoever has its hash': {
    schedule: SHARED_FILE,
    staged: {
      async find(this: StagingFolder, userId, sha256) {
        return (await findStaged.call(this, userId, sha256)) ?? findStaged.call(this, userId === 1 ? 2 : 1, sha256);
      },
    },
  },
  'a file taken for whole as soon as it is begun, and not looked at when it is used': {
    staged: {
      isRight: async () => true,
      async find(this: StagingFolder, userId, sha256) {
        const upload = await findStaged.call(this, userId, sha256);
        if (upload?.state !== 'part') return upload;
        return (await this.sizeOf(upload)) === 0 ? upload : this.become(upload, 'whole');
      },
    },
  },
  'a refusal that stays open': { journal: () => ({ forget: async () => undefined }) },
  'everything in the name of whoever came first': {
    toBackEnd: (send) => {
      let first: string | undefined;
      return async ({ headers, ...request }) => {
        const { authorization } = headers;
        if (request.method === 'POST') first ??= authorization;
        return send({ ...request, headers: { ...headers, ...(first && { authorization: first }) } });
      };
    },
  },
  'the id of the row before the new one': {
    journal: ({ answer }) => ({
      answer: (entry, given, files) =>
        answer(entry, given.id === undefined ? given : { ...given, id: Math.max(1, given.id - 1) }, files),
    }),
  },
  'lists that were compared once are believed for good': { feed: { bringUpToDate: onceFor(new WeakSet()) } },
  'a row that is gone is not told': {
    feed: {
      page(since) {
        return { ...page.call(this, since), deleted: {} };
      },
    },
  },
} as const satisfies Record<string, GatewayMutant>;

const { bringUpToDate, page } = RemoteFeed.prototype;

export type GatewayMutantName = keyof typeof GATEWAY_MUTANTS;

/** Each gateway's feed checks the back end only until one check has succeeded. */
function onceFor(seen: WeakSet<RemoteFeed>): RemoteFeed['bringUpToDate'] {
  return async function once(this: RemoteFeed, asker) {
    if (seen.has(this)) return;
    await bringUpToDate.call(this, asker);
    seen.add(this);
  };
}

/** An entry that was passed on is written to disk only with its answer. */
function inMemoryUntilAnswered({ find, open, passOn, answer, forget }: JournalWays): Partial<JournalWays> {
  const underWay = new Map<string, OpenEntry>();
  const nameOf = ({ userId, key }: { readonly userId: number; readonly key: string }) => `${userId}/${key}`;
  return {
    passOn: async (entry) => void underWay.set(nameOf(entry), entry),
    find: async (key) => {
      const entry = underWay.get(nameOf(key));
      return entry === undefined ? find(key) : { state: 'open', entry };
    },
    open: async () => [...(await open()), ...underWay.values()],
    forget: async (key) => (underWay.delete(nameOf(key)) ? undefined : forget(key)),
    answer: async (key, given, files) => {
      const entry = underWay.get(nameOf(key));
      if (entry !== undefined) await passOn(entry);
      underWay.delete(nameOf(key));
      await answer(key, given, files);
    },
  };
}

/** Caches answers to reads and returns them again. */
function remembering(path: RegExp): (send: Transport) => Transport {
  return (send) => {
    const kept = new Map<string, WireAnswer>();
    return async (request) => {
      const known = kept.get(request.path);
      if (request.method === 'GET' && known !== undefined) return known;
      const answer = await send(request);
      if (request.method === 'GET' && path.test(request.path) && answer.status === 200) kept.set(request.path, answer);
      return answer;
    };
  };
}

function said(status: number, message: string): WireAnswer {
  const headers = { 'content-type': 'application/json' };
  return { status, headers, cookies: [], body: Buffer.from(JSON.stringify({ message })) };
}
