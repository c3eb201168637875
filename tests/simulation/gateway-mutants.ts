import { StagingFolder } from '../../server/staging/staging-folder.ts';
import { RemoteFeed } from '../../server/stores/remote/feed.ts';
import type { OpenEntry } from '../../server/stores/remote/journal.ts';
import { NoAnswerError, NotSentError, type Transport, type WireAnswer } from '../../server/stores/remote/transport.ts';
import { SHARED_FILE } from './kept-at-a-gateway.ts';
import { KNOWN_SEEDS } from './known-seeds.ts';
import { EDITED_WHILE_LOST, HARMED_ON_ARRIVAL } from './own-schedules.ts';
import type { Planted } from './planted.ts';
import { play } from './scenario/play.ts';
import { scheduleOf } from './scenario/schedule.ts';
import { type GatewayMutant, gatewaysWith, type JournalWays } from './servers/gateway.ts';

/** The original method of the folder. */
const { find: findStaged } = StagingFolder.prototype;

/** Bugs that a gateway could have, injected one at a time from outside. The simulation must catch each. */
const GATEWAY_MUTANTS = {
  'passed on before the journal is written': { journal: inMemoryUntilAnswered },
  'answered before the journal is written': {
    journal: ({ forget }) => ({ answer: async (entry) => forget(entry) }),
  },
  'an answer not stored': { journal: () => ({ answer: async () => undefined }) },
  'no lookup by key': {
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
  'a key answered for another user': {
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
  'the version not checked': { fromDevice: (headers) => headers.delete('if-match'), schedule: EDITED_WHILE_LOST },
  'a record remembered instead of read again': { toBackEnd: remembering(/^\/api\/get-single-/) },
  'passed on again while the first may still arrive': { longestRequest: 0 },
  'no answer treated as not sent': {
    toBackEnd: (send) => (request) =>
      send(request).catch((error: unknown) => {
        throw error instanceof NoAnswerError ? new NotSentError(error.message) : error;
      }),
  },
  'no answer treated as success': {
    toBackEnd: (send) => (request) =>
      send(request).catch((error: unknown) => {
        if (request.method === 'POST' && error instanceof NoAnswerError) return said(200, 'Done.');
        throw error;
      }),
  },
  'not sent treated as success': {
    toBackEnd: (send) => (request) =>
      send(request).catch((error: unknown) => {
        if (request.method === 'POST' && error instanceof NotSentError) return said(200, 'Done.');
        throw error;
      }),
  },
  'a server error treated as "nothing happened"': {
    toBackEnd: (send) => async (request) => {
      const answer = await send(request);
      return request.method === 'POST' && answer.status >= 500 ? said(503, 'Service Unavailable') : answer;
    },
  },
  'new rows not looked for': { toBackEnd: blindToNewRows },
  'a refusal treated as success': {
    toBackEnd: (send) => async (request) => {
      const answer = await send(request);
      return request.method === 'POST' && answer.status === 422 ? said(200, 'Done.') : answer;
    },
  },
  'open entries dropped at the start': {
    journal: ({ open, forget }) => {
      const cleared = open().then((entries) => Promise.all(entries.map(forget)));
      return { open: async () => (await cleared, open()) };
    },
  },
  'the hash of a staged file not checked': { staged: { isRight: async () => true }, schedule: HARMED_ON_ARRIVAL },
  'an upload shown to anyone with its hash': {
    schedule: () => SHARED_FILE,
    staged: {
      async find(this: StagingFolder, userId, sha256) {
        return (await findStaged.call(this, userId, sha256)) ?? findStaged.call(this, userId === 1 ? 2 : 1, sha256);
      },
    },
  },
  'a file treated as complete once started, and not checked when used': {
    staged: {
      isRight: async () => true,
      async find(this: StagingFolder, userId, sha256) {
        const upload = await findStaged.call(this, userId, sha256);
        if (upload?.state !== 'part') return upload;
        return (await this.sizeOf(upload)) === 0 ? upload : this.become(upload, 'whole');
      },
    },
  },
  'every change sent for the first user': {
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
  'lists trusted for ever after one comparison': { feed: { bringUpToDate: onceFor(new WeakSet()) } },
  'a deleted row not reported': {
    feed: {
      page(since) {
        return { ...page.call(this, since), deleted: {} };
      },
    },
  },
} as const satisfies Record<string, GatewayMutant>;

const { bringUpToDate, page } = RemoteFeed.prototype;

export type GatewayMutantName = keyof typeof GATEWAY_MUTANTS;

/** The bugs, each in a gateway. */
export const PLANTED_GATEWAYS = (Object.entries(GATEWAY_MUTANTS) as [GatewayMutantName, GatewayMutant][]).map(
  ([name, mutant]): Planted => ({
    name,
    known: KNOWN_SEEDS.gateways[name],
    play: async (seed) => (await play((mutant.schedule ?? scheduleOf)(String(seed)), gatewaysWith(mutant))).failures,
  }),
);

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

/** Shows no record that was made after its list was first read: nothing new is ever there. */
function blindToNewRows(send: Transport): Transport {
  const lists = new Map<string, WireAnswer>();
  const seen = new Set<number>();
  return async (request) => {
    const { method, path } = request;
    const [list = ''] = path.split('?');
    const id = Number(/^\/api\/get-single-.*\/(\d+)$/.exec(path)?.[1] ?? 0);
    if (method === 'GET' && id > 0 && !seen.has(id)) {
      return said(404, `No query results for model [App\\Models\\Record] ${id}`);
    }
    const isList = method === 'GET' && /^\/api\/get-(?!single)/.test(path);
    if (isList && lists.has(list)) return lists.get(list) as WireAnswer;
    const answer = await send(request);
    if (!isList || answer.status !== 200) return answer;
    lists.set(list, answer);
    for (const row of JSON.parse(answer.body.toString()) as { readonly id: number }[]) seen.add(row.id);
    return answer;
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
