import { type Device, device } from '../../api/device.ts';
import { savesData } from '../../api/prefetch.ts';
import { onTaken } from '../../api/sources.ts';
import type { Taken } from '../../offline/cache/feed.ts';
import type { ResourceName } from '../../domain/resource.ts';
import { bringReader } from '../../fields/documents/pdf-reader.ts';
import {
  changeWishes,
  followWishesOfTabs,
  type KeptRecord,
  type NotKept,
  useKeeping,
  useWishes,
} from '../../stores/catalogues.ts';
import { onReturn } from '../../stores/connection.ts';
import { isCurrent, useSession } from '../../stores/session.ts';
import { isSame, refreshRecords, wantedCatalogues } from './wanted.ts';

type Catalogues = Device['catalogues'];

/** One tab at a time downloads for all. */
const LOCK = 'voltdesk-catalogues';
/** After this many failures in a row the link counts as down. */
const PATIENCE = 3;

let isFollowing = false;
let run: Promise<void> | undefined;
let isAskedAgain = false;
let isPressed = false;
let stop = new AbortController();

/** Keeps the requested catalogues up to date for as long as the page is open. */
export function followCatalogues(): void {
  const bring = () => void bringCatalogues().catch(notKept);
  if (!isFollowing) {
    isFollowing = true;
    onTaken(({ lists }) => concerns(lists) && bring());
    onReturn(() => void bringAnew().catch(notKept));
    followWishesOfTabs(() => void bringNow().catch(notKept));
  }
  void bringAnew().catch(notKept);
}

/** Downloads what the device knows of, then refreshes single records from the server and downloads again. */
async function bringAnew(): Promise<void> {
  await bringCatalogues();
  if (useWishes.getState().records.length === 0) return;
  await refreshRecords();
  await bringCatalogues();
}

function concerns(lists: Taken['lists']): boolean {
  const { kinds, records } = useWishes.getState();
  return [...kinds, ...records.map(({ resource }) => resource)].some((kind) => lists.has(kind));
}

/** Keeps the catalogues of all records of a kind, including future ones. */
export async function keepKind(kind: ResourceName): Promise<void> {
  await changeWishes(({ kinds, records }) => ({
    // The kind includes its single records.
    records: records.filter(({ resource }) => resource !== kind),
    kinds: [...kinds.filter((one) => one !== kind), kind],
  }));
  await bringNow(true);
}

/** Keeps the catalogue of one record. */
export async function keepRecord(record: KeptRecord): Promise<void> {
  await changeWishes(({ kinds, records }) => ({
    kinds,
    records: [...records.filter((one) => !isSame(one, record)), record],
  }));
  await bringNow(true);
}

/** Removes all catalogues of a kind, including those requested one by one. */
export function letKindGo(kind: ResourceName): Promise<void> {
  return letGo(({ kinds, records }) => ({
    kinds: kinds.filter((one) => one !== kind),
    records: records.filter(({ resource }) => resource !== kind),
  }));
}

/** Removes the catalogue of one record. */
export function letRecordGo(record: Pick<KeptRecord, 'resource' | 'id'>): Promise<void> {
  return letGo(({ kinds, records }) => ({ kinds, records: records.filter((one) => !isSame(one, record)) }));
}

async function letGo(change: Parameters<typeof changeWishes>[0]): Promise<void> {
  await changeWishes(change);
  await bringNow();
}

/** Restarts downloads: the current one may no longer be wanted, or no longer come first. */
function bringNow(pressed = false): Promise<void> {
  stop.abort();
  return bringCatalogues(pressed);
}

/**
 * Downloads requested catalogues that are missing and removes those no longer requested. Runs never overlap. `pressed`: the
 * user has just asked for it, which overrides data-saver mode.
 */
export function bringCatalogues(pressed = false): Promise<void> {
  if (!canKeep()) return Promise.resolve();
  isAskedAgain = true;
  isPressed ||= pressed;
  run ??= runs().finally(() => {
    run = undefined;
  });
  return run;
}

/** Catalogues can be kept only if a service worker serves them. */
export function canKeep(): boolean {
  return Boolean(navigator.serviceWorker?.controller) && globalThis.caches !== undefined;
}

async function runs(): Promise<void> {
  while (isAskedAgain) {
    isAskedAgain = false;
    stop = new AbortController();
    await (navigator.locks === undefined ? bringInLine() : navigator.locks.request(LOCK, bringInLine));
  }
  isPressed = false;
}

async function bringInLine(): Promise<void> {
  const { token } = useSession.getState();
  if (token === undefined) return;
  const { catalogues } = await device();
  const { wanted, isComplete } = await wantedCatalogues();
  // A save evicts records before catalogues: the records come back soon, the catalogues with hundreds of megabytes.
  if (isComplete) await catalogues.removeOtherCatalogues(new Set(wanted.keys()));
  if (isComplete && wanted.size === 0) return useKeeping.setState({ ...NOTHING, wanted });
  const kept = await catalogues.keptCatalogues();
  const missing = [...wanted.keys()].filter((address) => !kept.has(address));
  useKeeping.setState({ ...NOTHING, wanted, kept, running: missing.length > 0 });
  const waits = missing.length === 0 ? undefined : await fetchAll(catalogues, missing, token);
  useKeeping.setState({ running: false, waits });
}

const NOTHING = { kept: new Map(), failed: new Map(), running: false, waits: undefined };

/** Returns what the remaining catalogues wait for. Undefined if none do, or if the run was aborted. */
async function fetchAll(catalogues: Catalogues, missing: readonly string[], token: string) {
  if (savesData() && !isPressed) return 'data-saver' as const;
  await bringReader().catch(notKept);
  const { signal } = stop;
  let room = await catalogues.roomForCatalogues(useKeeping.getState().kept);
  let unanswered = 0;
  for (const address of missing) {
    if (!isCurrent(token) || signal.aborted) return undefined;
    const outcome = await fetchOne(catalogues, address, { room, signal, token });
    unanswered = outcome === 'unanswered' ? unanswered + 1 : 0;
    if (unanswered === PATIENCE) return 'connection' as const;
    if (typeof outcome === 'number') room -= outcome;
    note(address, outcome);
  }
  return unanswered > 0 ? ('connection' as const) : undefined;
}

interface Fetching {
  readonly room: number;
  readonly signal: AbortSignal;
  readonly token: string;
}

type Outcome = number | NotKept | 'unanswered';

async function fetchOne(catalogues: Catalogues, address: string, fetching: Fetching): Promise<Outcome> {
  const flow = watchFlow(fetching.signal);
  try {
    return await fetchWatched(catalogues, address, fetching, flow);
  } finally {
    flow.end();
  }
}

async function fetchWatched(catalogues: Catalogues, address: string, { room, token }: Fetching, flow: Flow) {
  // The HTTP cache would hold a second copy, even after the catalogue is removed.
  const how = { signal: flow.signal, priority: 'low', cache: 'no-store' } as const;
  const answer = await fetch(address, how).catch(() => undefined);
  if (answer === undefined) return 'unanswered';
  const reason = reasonAgainst(answer, room);
  if (reason !== undefined) {
    // An unread body would occupy one of the browser's connections.
    await answer.body?.cancel().catch(() => undefined);
    return reason;
  }
  try {
    const bytes = await catalogues.keepCatalogue(address, flow.watched(answer));
    if (!isCurrent(token)) await catalogues.removeOtherCatalogues(new Set());
    return bytes;
  } catch (failure) {
    return isFull(failure) ? 'room' : 'unanswered';
  }
}

/** A download without a byte for so long is given up, because no other one starts before it ends. Milliseconds. */
const STALLED = 30_000;

interface Flow {
  /** Aborts when the run does, or when the download has stalled. */
  readonly signal: AbortSignal;
  /** The same answer. Each piece of it that arrives counts as progress. */
  readonly watched: (answer: Response) => Response;
  readonly end: () => void;
}

function watchFlow(whole: AbortSignal): Flow {
  const stopped = new AbortController();
  const abort = () => stopped.abort();
  whole.addEventListener('abort', abort);
  let timer = setTimeout(abort, STALLED);
  const goOn = () => {
    clearTimeout(timer);
    timer = setTimeout(abort, STALLED);
  };
  const { signal } = stopped;
  return {
    signal,
    watched(answer) {
      goOn();
      const pieces = new TransformStream<Uint8Array, Uint8Array>({
        transform(piece, on) {
          goOn();
          on.enqueue(piece);
        },
      });
      return new Response(answer.body?.pipeThrough(pieces, { signal }), answer);
    },
    end() {
      clearTimeout(timer);
      whole.removeEventListener('abort', abort);
    },
  };
}

/** A proxy may answer with a page of its own, which is not a catalogue. */
function reasonAgainst({ status, headers }: Response, room: number): NotKept | 'unanswered' | undefined {
  const type = headers.get('Content-Type') ?? '';
  if (status === 404 || status === 410) return type.includes('json') ? 'gone' : 'unanswered';
  if (status !== 200) return status >= 500 ? 'unanswered' : 'refused';
  if (type.startsWith('text/html')) return 'unanswered';
  return Number(headers.get('Content-Length') ?? 0) > room ? 'room' : undefined;
}

function isFull(failure: unknown): boolean {
  return failure instanceof Error && failure.name === 'QuotaExceededError';
}

function note(address: string, outcome: Outcome): void {
  if (outcome === 'unanswered') return;
  useKeeping.setState(({ kept, failed }) =>
    typeof outcome === 'number'
      ? { kept: new Map([...kept, [address, outcome]]) }
      : { failed: new Map([...failed, [address, outcome]]) },
  );
}

function notKept(failure: unknown): void {
  console.warn('Catalogues are not kept up to date.', failure);
}
