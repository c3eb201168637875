import { feedAddress, type FeedPage, readFeedPage } from '../domain/protocol/feed.ts';
import type { ResourceName } from '../domain/resource.ts';
import { RESOURCES } from '../domain/resources/index.ts';
import type { FeedState, Taken } from '../offline/cache/feed.ts';
import { isCurrent, useSession } from '../stores/session.ts';
import { device } from './device.ts';
import { ApiFailure } from './failure.ts';
import { get } from './request.ts';

/** Updates the page after feed data was applied to the device. */
export type Adopt = (taken: Taken) => Promise<void>;

/** The channel on which tabs tell each other that the device's lists have changed. */
const CHANNEL = 'voltdesk-feed';

type Run = Promise<number | undefined>;

/** The run whose request has not been sent yet. New callers share it. */
let next: Run | undefined;
let last: Run = Promise.resolve(undefined);
let isRunning = false;
let tellTabs: ((taken: Taken) => void) | undefined;

/**
 * Reads the server's feed from the stored cursor. Returns the time as of which the device is up to date (epoch
 * milliseconds). Returns undefined without a request if the lists follow no feed. Runs never overlap. A caller shares a run
 * in flight, unless something has just changed (`anew`). Throws ApiFailure.
 */
export function readOn(adopt: Adopt, anew = false): Run {
  if (isRunning && !anew) return last;
  return queued(async (leaves) => {
    const { feed } = await device();
    return (await feed.readFeed())?.complete === true ? run(adopt, leaves) : undefined;
  });
}

/** The same for data that only the feed of a server with its own records includes. */
export async function readOnWhole(adopt: Adopt, anew: boolean): Run {
  return (await followsRowsOnly()) ? undefined : readOn(adopt, anew);
}

/** True if the feed is a gateway's, which covers only lists. */
export async function followsRowsOnly(): Promise<boolean> {
  const { feed } = await device();
  return (await feed.readFeed())?.rowsOnly === true;
}

/** Reads the feed, and starts to follow it if the device does not yet. The device then receives everything. */
export function beginFeed(adopt: Adopt): Run {
  // a waiting run is not shared, because it requests nothing if no feed is followed
  next = begin((leaves) => run(adopt, leaves));
  return next;
}

/** Applies a page pushed by the server. Returns false if it does not continue from the device's cursor. */
export function takePushed(page: FeedPage, since: string | undefined, adopt: Adopt): Promise<boolean> {
  const taking = last
    .catch(() => undefined)
    .then(async () => {
      const { feed } = await device();
      const state = await feed.readFeed();
      noteStanding(page);
      if (state?.cursor === page.cursor) return true;
      if (state?.complete !== true || state.cursor !== since) return false;
      // the completeness time stays: earlier pages may still be in flight
      const taken = await feed.takeFeedPage(page, { since, fetchedAt: state.fetchedAt });
      await share(taken, adopt);
      return taken !== 'overtaken';
    });
  last = taking.then(
    () => undefined,
    () => undefined,
  );
  return taking;
}

/** Applies what other tabs receive to this page, from now on. */
export function followFeedOfTabs(adopt: Adopt): void {
  if (typeof BroadcastChannel !== 'function') return;
  const channel = new BroadcastChannel(CHANNEL);
  tellTabs = channel.postMessage.bind(channel);
  channel.addEventListener('message', ({ data }: MessageEvent<Taken>) => void adopt(data));
}

function queued(work: (leaves: () => void) => Run): Run {
  next ??= begin(work);
  return next;
}

function begin(work: (leaves: () => void) => Run): Run {
  const leaves = () => {
    if (next === begun) next = undefined;
  };
  const begun: Run = last
    .catch(() => undefined)
    .then(() => {
      isRunning = true;
      return work(leaves);
    })
    .finally(() => {
      leaves();
      isRunning = false;
    });
  last = begun;
  return begun;
}

async function run(adopt: Adopt, leaves: () => void): Run {
  const { feed } = await device();
  const { token } = useSession.getState();
  for (;;) {
    const since = await feed.readFeed();
    leaves();
    const fetchedAt = Date.now();
    const page = await ask(since);
    // an answer to a request from before a log-out is not stored after it
    if (page === undefined || !isCurrent(token)) return undefined;
    noteStanding(page);
    const taken = await feed.takeFeedPage(page, { since: since?.cursor, fetchedAt }).catch(notKept);
    if (taken === undefined) return undefined;
    await share(taken, adopt);
    if (taken !== 'overtaken' && !page.more) return fetchedAt;
  }
}

/** Fetches the next page. If the server no longer has a feed, forgets it and returns undefined. */
async function ask(state: FeedState | undefined) {
  const { feed } = await device();
  try {
    const page = readFeedPage((await get(feedAddress(state?.cursor))).body);
    if (page !== undefined) return page;
  } catch (failure) {
    if (!(failure instanceof ApiFailure) || failure.kind !== 'missing') throw failure;
  }
  await feed.forgetFeed();
  return undefined;
}

/** Compares what this device keeps, once the list shows: the server may have another backup, or another life. */
function noteStanding(page: FeedPage): void {
  if (page.epoch !== undefined) import('./kept.ts').then((kept) => kept.noteStanding(page), notCompared);
}

function notCompared(failure: unknown): void {
  console.warn('Kept changes are not compared.', failure);
}

/** The outbox has priority on quota. If the cache has no space, lists are read as from a server without a feed. */
function notKept(failure: unknown): undefined {
  console.warn('What changed cannot be kept on this device.', failure);
}

/** Updates this page and other tabs. If another tab has overtaken this run, reloads everything from the device. */
async function share(taken: Taken | 'overtaken', adopt: Adopt): Promise<void> {
  if (taken === 'overtaken')
    return adopt({ ...unread(RESOURCES.map(({ name }) => name)), settings: true, lookups: true });
  await adopt(taken);
  const { lists, settings, lookups } = taken;
  if (lists.size > 0 || settings || lookups) tellTabs?.({ ...taken, ...unread([...lists.keys()]) });
}

function unread(names: readonly ResourceName[]): Pick<Taken, 'fetchedAt' | 'lists'> {
  return { fetchedAt: 0, lists: new Map(names.map((name) => [name, undefined])) };
}
