import { isDeliveryUnknown } from '../../src/domain/outbox/delivery.ts';
import { waitsForAnother } from '../../src/domain/outbox/status.ts';
import { CHANGES_PATH } from '../../src/domain/protocol/capabilities.ts';
import type { OutboxEntry } from '../../src/domain/outbox/vocabulary.ts';
import { BOTH, entryRule, type Fetch, inStorage, made, onTheWire, type Mutant, type Row } from './mutant.ts';
import {
  ASKED_TO_WAIT,
  BUSY_WHILE_EDITED,
  CLOCK_JUMPS,
  EDITED_ON,
  EQUAL_ROW,
  FOREIGN_PAGES,
  LEFT_OPEN,
  LONG_WAIT,
  MANY_WAKE,
  PORTAL_ANSWERS,
  READS_NOT_FOUND,
  REPEATS_ANSWERED,
  REPLACED_THEN_DELETED,
  SERVER_FAILS,
} from './own-schedules.ts';
import { KNOWN_SEEDS } from './known-seeds.ts';
import type { Planted } from './planted.ts';
import type { Device } from './world/device.ts';
import { contractOnlyServers } from './servers/contract-only.ts';
import { play } from './scenario/play.ts';
import { scheduleOf } from './scenario/schedule.ts';
import { TRAVEL_MUTANTS } from './travel-mutants.ts';

/** Bugs that a sender could have, injected one at a time from outside. The simulation must catch each. */
export const MUTANTS = {
  'no lock and no lease': {
    servers: BOTH,
    schedule: MANY_WAKE,
    tamper: (given, kind, device) => {
      device.locks.doubles = true;
      return BLIND_TO_THE_LEASE.tamper(given, kind, device);
    },
  },
  'result written without the fence': {
    servers: BOTH,
    tamper: (given, kind, device) => {
      device.locks.sticks = true;
      return BLIND_TO_THE_LEASE.tamper(given, kind, device);
    },
  },
  'a new key for every try': onTheWire(['own'], (fetch, { uuid }) => (address, init) => {
    const headers = new Headers(init.headers);
    if (headers.has('idempotency-key')) headers.set('idempotency-key', uuid());
    return fetch(address, { ...init, headers: Object.fromEntries(headers) });
  }),
  'done before the answer': onTheWire(BOTH, (fetch) => async (address, init) => {
    const answer = fetch(address, init);
    if (init.method !== 'POST') return answer;
    answer.catch(() => undefined);
    return success();
  }),
  'deleted before the answer': onTheWire(BOTH, (fetch, { outbox }) => async (address, init) => {
    const key = new Headers(init.headers).get('idempotency-key');
    if (key !== null) await outbox.entries.filter((entry) => entry.idempotencyKey === key).delete();
    return fetch(address, init);
  }),
  'files in another order': onTheWire(
    BOTH,
    (fetch) => (address, init) => fetch(address, { ...init, ...reordered(init.body) }),
  ),
  'a file sent empty': onTheWire(
    BOTH,
    (fetch) => (address, init) => fetch(address, { ...init, ...emptied(init.body) }),
  ),
  'a file left out': onTheWire(
    BOTH,
    (fetch) => (address, init) => fetch(address, { ...init, ...shortened(init.body) }),
  ),
  '401 treated as a refusal': onTheWire(BOTH, (fetch) => async (address, init) => {
    const answer = await fetch(address, init);
    return answer.status === 401 ? refusal() : answer;
  }),
  'a page treated as success': {
    ...onTheWire(BOTH, (fetch) => async (address, init) => {
      const answer = await fetch(address, init);
      return init.method === 'POST' && answer.status === 200 && isPage(answer) ? success() : answer;
    }),
    schedule: PORTAL_ANSWERS,
  },
  'server errors treated as success': onTheWire(BOTH, (fetch) => async (address, init) => {
    const answer = await fetch(address, init);
    return init.method === 'POST' && answer.status >= 500 ? success() : answer;
  }),
  'no answer treated as success': onTheWire(
    BOTH,
    (fetch) => (address, init) =>
      fetch(address, init).catch((failure: unknown) => {
        if (init.method === 'POST') return success();
        throw failure;
      }),
  ),
  'the version left out': onTheWire(['own'], (fetch) => (address, init) => {
    const { 'If-Match': _, ...headers } = init.headers as Record<string, string>;
    return fetch(address, { ...init, headers });
  }),
  "another user's session": {
    servers: BOTH,
    tamper: (given, _kind, device) => {
      const fetch: Fetch = (address, init) => {
        const headers = new Headers(init.headers);
        const own = headers.get('authorization');
        if (own !== null) {
          if (!device.notes.has('first token')) device.notes.set('first token', own);
          headers.set('authorization', device.notes.get('first token') ?? own);
        }
        return given.fetch(address, { ...init, headers: Object.fromEntries(headers) });
      };
      return { ...given, fetch };
    },
  },
  'Retry-After ignored': {
    ...onTheWire(BOTH, (fetch) => async (address, init) => {
      const answer = await fetch(address, init);
      answer.headers.delete('retry-after');
      return answer;
    }),
    schedule: ASKED_TO_WAIT,
  },
  'merged after an attempt': {
    ...inStorage(['contract-only'], (kind) =>
      kind === 'worker' ? {} : { read: entryRule((entry) => (isTried(entry) ? untried(entry) : entry)) },
    ),
    schedule: EDITED_ON,
  },
  'merged into another record of its kind': inStorage(BOTH, (kind) => {
    const last = new Map<string, string>();
    if (kind === 'worker') return {};
    return { write: entryRule((entry) => (isUntried(entry) ? ofTheLast(entry, last) : entry)) };
  }),
  'pages of a list requested for ever': onTheWire(['contract-only'], (fetch) => async (address, init) => {
    const answer = await fetch(address, init);
    const page = Number(new URL(address).searchParams.get('page') ?? 1);
    const isList = answer.headers.get('content-type') === 'application/json';
    return page > 1 && answer.status === 200 && isList ? asIfNew(answer, page) : answer;
  }),
  'sending not written before the request': inStorage(BOTH, () => ({
    write: entryRule((entry) => (entry.state === 'sending' ? untried(entry) : entry)),
  })),
  'read-back left out': inStorage(['contract-only'], () => ({
    read: entryRule((entry) => (isDeliveryUnknown(entry) ? untried(entry) : entry)),
  })),
  'ids written in a separate step': inStorage(BOTH, () => ({
    write: (table, row) => (table === 'identities' ? { ...row, localId: `${String(row['localId'])} later` } : row),
  })),
  'a later change overtakes': {
    ...inStorage(BOTH, (kind) =>
      kind === 'page' ? {} : { read: entryRule((entry) => (waitsForAnother(entry) ? undefined : entry)) },
    ),
    schedule: BUSY_WHILE_EDITED,
  },
  'an unknown key treated as done': onTheWire(['own'], (fetch) => async (address, init) => {
    const answer = await fetch(address, init);
    return new URL(address).pathname.startsWith(CHANGES_PATH) && answer.status === 404 ? success() : answer;
  }),
  'the rest of a split create left out': inStorage(['contract-only'], () => ({
    write: entryRule((entry) => (isUntried(entry) && isBetween(entry) ? dropped(entry) : entry)),
  })),
  'server errors drop the change': {
    ...inStorage(BOTH, () => ({
      write: entryRule((entry) => (entry.reason?.code === 'server-error' ? dropped(entry) : entry)),
    })),
    schedule: SERVER_FAILS,
  },
  'old changes dropped': inStorage(BOTH, (_kind, _device, { now }) => ({
    read: entryRule((entry) => (now() - entry.createdAt > 24 * 60 * 60_000 ? undefined : entry)),
  })),
  'the sender never woken again': {
    servers: ['own'],
    tamper: (given) => ({
      ...given,
      after: (milliseconds, work) => (milliseconds > 1_000 ? () => {} : given.after(milliseconds, work)),
    }),
  },
  'durations measured by the wall clock': {
    schedule: CLOCK_JUMPS,
    servers: ['contract-only'],
    tamper: (given) => ({ ...given, elapsed: given.now }),
  },
  'a page in place of an answer treated as a refusal': {
    ...onTheWire(['contract-only'], (fetch) => async (address, init) => {
      const answer = await fetch(address, init);
      return init.method === 'POST' && isPage(answer) && answer.status < 500 && answer.status >= 400
        ? refusal()
        : answer;
    }),
    schedule: FOREIGN_PAGES,
  },
  'the answer to a repeat treated as one to the first request': {
    ...onTheWire(['contract-only'], (fetch) => async (address, init) => {
      const answer = await fetch(address, init);
      const isRepeats = init.method === 'POST' && answer.status === 429 && !answer.headers.has('retry-after');
      return isRepeats ? made(419, { message: '' }) : answer;
    }),
    schedule: REPEATS_ANSWERED,
  },
  'a wait that something in between orders treated as the server’s': {
    ...onTheWire(BOTH, (fetch) => async (address, init) => {
      const answer = await fetch(address, init);
      const wait = answer.headers.get('retry-after');
      return isPage(answer) && wait !== null ? toldToWait(answer.status, wait) : answer;
    }),
    schedule: LONG_WAIT,
  },
  'a row with the same texts treated as the created one': {
    servers: ['contract-only'],
    tamper: (given, _kind, device) => {
      const fetch: Fetch = async (address, init) => {
        if (init.body instanceof FormData) lastFiles.set(device, [...init.body.values()].findLast(isFile));
        const last = lastFiles.get(device);
        return last !== undefined && isUpload(address) ? withBytes(last) : given.fetch(address, init);
      };
      return { ...given, fetch };
    },
    schedule: EQUAL_ROW,
  },
  'files not compared before a deletion': {
    servers: BOTH,
    tamper: (given, kind, device) => {
      const blind = BLIND_TO_FILES.tamper(given, kind, device);
      const fetch: Fetch = async (address, init) => {
        const answer = await given.fetch(address, init);
        const isRecord = new URL(address).pathname.startsWith('/api/get-single-') && answer.status === 200;
        return isRecord && !isPage(answer) ? withoutFiles(answer) : answer;
      };
      return { ...blind, fetch };
    },
    schedule: REPLACED_THEN_DELETED,
  },
  'a log-out treated as an expired session': {
    ...inStorage(['own'], () => ({
      read: (table, row) => {
        if (table !== 'meta' || row['key'] !== 'signedOut') return row;
        return { ...row, value: { ...(row['value'] as object), expired: true } };
      },
    })),
    schedule: LEFT_OPEN,
  },
  'a page with a 404 treated as the server’s': {
    ...onTheWire(BOTH, (fetch) => async (address, init) => {
      const answer = await fetch(address, init);
      return init.method === 'GET' && isPage(answer) && answer.status === 404 ? made(404, { message: '' }) : answer;
    }),
    schedule: READS_NOT_FOUND,
  },
  ...TRAVEL_MUTANTS,
} as const satisfies Record<string, Mutant>;

export type MutantName = keyof typeof MUTANTS;

/** The bugs, each on every server on which it does harm. */
export const PLANTED_SENDERS = (Object.entries(MUTANTS) as [MutantName, Mutant][]).flatMap(([bug, mutant]) =>
  mutant.servers.map((server): Planted => {
    const name = `${bug}, ${server}` as const;
    return {
      name,
      known: KNOWN_SEEDS.senders[name],
      play: async (seed, own) => {
        const schedule = (mutant.schedule ?? scheduleOf)(String(seed));
        const supply = server === 'own' ? own : contractOnlyServers;
        return (await play(schedule, supply, { tamper: mutant.tamper })).failures;
      },
    };
  }),
);

/** Reads the lease as if this page or worker held it. */
const BLIND_TO_THE_LEASE: Mutant = inStorage(BOTH, (_kind, _device, { holder }) => {
  let own: Row | undefined;
  return {
    write: (table, row) => {
      if (table === 'meta' && row['key'] === 'lease') own = row;
      return row;
    },
    read: (table, row) => {
      if (table !== 'meta' || row['key'] !== 'lease') return row;
      return own !== undefined && (own['value'] as { holder: string }).holder === holder ? own : row;
    },
  };
});

/** Bases of deletions hold no files. */
const BLIND_TO_FILES: Mutant = inStorage(BOTH, () => ({
  read: entryRule((entry) => {
    const { change } = entry;
    if (change.op !== 'delete' || change.base === undefined) return entry;
    const { files: _, imageIds: __, ...base } = change.base;
    return { ...entry, change: { ...change, base } };
  }),
}));

function isTried({ state, attempts }: OutboxEntry): boolean {
  return attempts > 0 && (state === 'pending' || state === 'sending');
}

function untried(entry: OutboxEntry): OutboxEntry {
  const { acceptedMessage: _, baselineIds: __, ...rest } = entry;
  return { ...rest, state: 'pending', delivery: [], attempts: 0 } as OutboxEntry;
}

function isUntried({ state, attempts }: OutboxEntry): boolean {
  return state === 'pending' && attempts === 0;
}

/** True if the entry was inserted between two others, as the rest of a create. A new entry has no sequence yet. */
function isBetween({ sequence }: Partial<OutboxEntry>): boolean {
  return sequence !== undefined && !Number.isInteger(sequence);
}

/** Redirects an edit to the previously created or edited record, if that has the same resource. */
function ofTheLast(entry: OutboxEntry, last: Map<string, string>): OutboxEntry {
  const { change } = entry;
  if (change.op === 'create') last.set(change.resource, change.recordId);
  if (change.op !== 'update') return entry;
  const recordId = last.get(change.resource) ?? change.recordId;
  last.set(change.resource, change.recordId);
  return { ...entry, change: { ...change, recordId } };
}

/** Makes every page look new, as it does to a sender that does not remember which ids it has seen. */
async function asIfNew(answer: Response, page: number): Promise<Response> {
  const rows = JSON.parse(await answer.text()) as { id: number }[];
  return made(
    200,
    rows.map((row) => ({ ...row, id: row.id + page * 1_000_000 })),
  );
}

function isUpload(address: string): boolean {
  return new URL(address).pathname.startsWith('/uploads/');
}

function isFile(value: FormDataEntryValue): value is File {
  return typeof value !== 'string';
}

/** The file that each device has sent last. */
const lastFiles = new WeakMap<Device, File | undefined>();

function withBytes(file: File): Response {
  const answer = new Response(null, { headers: { 'content-type': file.type } });
  return Object.defineProperty(answer, 'arrayBuffer', { value: () => file.arrayBuffer() });
}

/** The record without its files, as if nobody had changed them. */
async function withoutFiles(answer: Response): Promise<Response> {
  const record = JSON.parse(await answer.text()) as Record<string, unknown>;
  const holdsFile = (field: string) => ['image', 'catalog', 'images', 'files'].includes(field);
  return made(200, Object.fromEntries(Object.entries(record).filter(([field]) => !holdsFile(field))));
}

function success(): Response {
  return made(200, { message: 'Created Successfully' });
}

function isPage({ headers }: Response): boolean {
  return (headers.get('content-type') ?? '').startsWith('text/html');
}

function toldToWait(status: number, seconds: string): Response {
  const answer = made(status, { message: '' });
  answer.headers.set('retry-after', seconds);
  return answer;
}

function refusal(): Response {
  return made(403, { message: 'Forbidden' });
}

function reordered(body: RequestInit['body']): { body?: FormData } {
  return rebuilt(body, (parts) => [...parts.filter(isText), ...parts.filter((part) => !isText(part)).toReversed()]);
}

function emptied(body: RequestInit['body']): { body?: FormData } {
  return rebuilt(body, (parts) =>
    parts.map(([name, value]) => [name, typeof value === 'string' ? value : new File([], value.name)]),
  );
}

function shortened(body: RequestInit['body']): { body?: FormData } {
  return rebuilt(body, (parts) => {
    const last = parts.findLast(([name]) => name === 'images[]');
    return parts.filter((part) => part !== last);
  });
}

type Part = readonly [name: string, value: FormDataEntryValue];

function rebuilt(body: RequestInit['body'], change: (parts: readonly Part[]) => readonly Part[]): { body?: FormData } {
  if (!(body instanceof FormData)) return {};
  const form = new FormData();
  for (const [name, value] of change([...body])) {
    if (typeof value === 'string') form.append(name, value);
    else form.append(name, value, value.name);
  }
  return { body: form };
}

function isText([, value]: Part): boolean {
  return typeof value === 'string';
}

function dropped(entry: OutboxEntry): OutboxEntry {
  return { ...entry, state: 'done', receipt: { at: entry.createdAt, message: '' } } as OutboxEntry;
}
