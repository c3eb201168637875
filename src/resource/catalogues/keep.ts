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
import { useSession } from '../../stores/session.ts';
import { isSame, refreshRecords, wantedCatalogues } from './wanted.ts';

type Catalogues = Device['catalogues'];

/** One tab fetches for all. */
const LOCK = 'voltdesk-catalogues';
/** So many in a row that cannot be had: the link is not there now. */
const PATIENCE = 3;

let isFollowing = false;
let run: Promise<void> | undefined;
let isAskedAgain = false;
let isPressed = false;
let stop = new AbortController();

/** Keeps what was asked for up to date from now on, for as long as the page is open. */
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

/** At once what the device knows of, then what the server has to be asked for. */
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

/** Keeps the catalogues of all records of a kind, also of those to come. */
export async function keepKind(kind: ResourceName): Promise<void> {
  await changeWishes(({ kinds, records }) => ({
    // the kind has them all
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

/** Lets go of all catalogues of a kind, also of those that were asked for one by one. */
export function letKindGo(kind: ResourceName): Promise<void> {
  return letGo(({ kinds, records }) => ({
    kinds: kinds.filter((one) => one !== kind),
    records: records.filter(({ resource }) => resource !== kind),
  }));
}

/** Lets go of one record's. */
export function letRecordGo(record: Pick<KeptRecord, 'resource' | 'id'>): Promise<void> {
  return letGo(({ kinds, records }) => ({ kinds, records: records.filter((one) => !isSame(one, record)) }));
}

async function letGo(change: Parameters<typeof changeWishes>[0]): Promise<void> {
  await changeWishes(change);
  await bringNow();
}

/** What is being fetched may not be what is wanted now, or not what is wanted first. */
function bringNow(pressed = false): Promise<void> {
  stop.abort();
  return bringCatalogues(pressed);
}

/**
 * Fetches what is asked for and not here, and lets go of what is not asked for any more. Never two runs at once. `pressed`: somebody
 * has just asked, on whatever link that is.
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

/** Nothing is kept without a worker to answer from it. */
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
  const wanted = await wantedCatalogues();
  await catalogues.removeOtherCatalogues(new Set(wanted.keys()));
  if (wanted.size === 0) return useKeeping.setState({ ...NOTHING, wanted });
  const kept = await catalogues.keptCatalogues();
  const missing = [...wanted.keys()].filter((address) => !kept.has(address));
  useKeeping.setState({ ...NOTHING, wanted, kept, running: missing.length > 0 });
  const waits = missing.length === 0 ? undefined : await fetchAll(catalogues, missing, token);
  useKeeping.setState({ running: false, waits });
}

const NOTHING = { kept: new Map(), failed: new Map(), running: false, waits: undefined };

/** Answers what the rest waits for, where there is a rest. */
async function fetchAll(catalogues: Catalogues, missing: readonly string[], token: string) {
  if (savesData() && !isPressed) return 'data-saver' as const;
  await bringReader().catch(notKept);
  const { signal } = stop;
  let room = await catalogues.roomForCatalogues(useKeeping.getState().kept);
  let unanswered = 0;
  for (const address of missing) {
    if (useSession.getState().token !== token || signal.aborted) return undefined;
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

async function fetchOne(catalogues: Catalogues, address: string, { room, signal, token }: Fetching): Promise<Outcome> {
  // the browser's own cache would hold it a second time, and after it was let go
  const how = { signal, priority: 'low', cache: 'no-store' } as const;
  const answer = await fetch(address, how).catch(() => undefined);
  if (answer === undefined) return 'unanswered';
  const reason = reasonAgainst(answer, room);
  if (reason !== undefined) {
    // a body that is left unread would hold one of the browser's connections
    await answer.body?.cancel().catch(() => undefined);
    return reason;
  }
  try {
    const bytes = await catalogues.keepCatalogue(address, answer);
    if (useSession.getState().token !== token) await catalogues.removeOtherCatalogues(new Set());
    return bytes;
  } catch (failure) {
    return isFull(failure) ? 'room' : 'unanswered';
  }
}

/** Somebody in between may answer with a page of their own: that is no catalogue. */
function reasonAgainst({ status, headers }: Response, room: number): NotKept | 'unanswered' | undefined {
  if (status === 404 || status === 410) return 'gone';
  if (status !== 200) return status >= 500 ? 'unanswered' : 'refused';
  if ((headers.get('Content-Type') ?? '').startsWith('text/html')) return 'unanswered';
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
