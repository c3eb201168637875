import { feedAddress, type FeedPage, readFeedPage } from '../domain/protocol/feed.ts';
import type { ResourceName } from '../domain/resource.ts';
import { RESOURCES } from '../domain/resources/index.ts';
import type { FeedState, Taken } from '../offline/cache/feed.ts';
import { useSession } from '../stores/session.ts';
import { device } from './device.ts';
import { ApiFailure } from './failure.ts';
import { get } from './request.ts';

/** Brings what the page shows in line with what was taken over. */
export type Adopt = (taken: Taken) => Promise<void>;

/** Where the tabs of a browser tell each other that the device's lists have changed. */
const CHANNEL = 'voltdesk-feed';

type Run = Promise<number | undefined>;

/** The run whose request has not left yet: whoever asks now is answered by it. */
let next: Run | undefined;
let last: Run = Promise.resolve(undefined);
let isRunning = false;
let tellTabs: ((taken: Taken) => void) | undefined;

/**
 * Reads on in the server's feed. Answers as of when the device then knows what the server does (epoch milliseconds). Undefined, and
 * nothing is asked, where the lists follow no feed. Never two runs at once: one that is on its way will do, unless something
 * was just changed (`anew`). Throws ApiFailure.
 */
export function readOn(adopt: Adopt, anew = false): Run {
  if (isRunning && !anew) return last;
  return queued(async (leaves) => {
    const { feed } = await device();
    return (await feed.readFeed())?.complete === true ? run(adopt, leaves) : undefined;
  });
}

/** The same for what only the feed of a server with its own records tells of. */
export async function readOnWhole(adopt: Adopt, anew: boolean): Run {
  return (await followsRowsOnly()) ? undefined : readOn(adopt, anew);
}

/** True where the feed that is followed is a gateway's: it tells of lists alone. */
export async function followsRowsOnly(): Promise<boolean> {
  const { feed } = await device();
  return (await feed.readFeed())?.rowsOnly === true;
}

/** The same, and begins to follow the feed where that was not done yet: the device gets everything. */
export function beginFeed(adopt: Adopt): Run {
  // not answered by a run that waits already: that one asks nothing where no feed is followed
  next = begin((leaves) => run(adopt, leaves));
  return next;
}

/** Takes over a page that the server has sent by itself. False where it does not follow on what the device has. */
export function takePushed(page: FeedPage, since: string | undefined, adopt: Adopt): Promise<boolean> {
  const taking = last
    .catch(() => undefined)
    .then(async () => {
      const { feed } = await device();
      const state = await feed.readFeed();
      if (state?.cursor === page.cursor) return true;
      if (state?.complete !== true || state.cursor !== since) return false;
      // as of when it is known to be complete does not change: what was sent before may still be on its way
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

/** Brings this page in line with what other tabs take over, from now on. */
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
    // what was asked for before a log-out is not kept after it
    if (page === undefined || useSession.getState().token !== token) return undefined;
    const taken = await feed.takeFeedPage(page, { since: since?.cursor, fetchedAt }).catch(notKept);
    if (taken === undefined) return undefined;
    await share(taken, adopt);
    if (taken !== 'overtaken' && !page.more) return fetchedAt;
  }
}

/** Undefined, and the feed is forgotten, where the server has none any more. */
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

/** Room is the outbox's first. What the cache cannot take is read as from a server without a feed. */
function notKept(failure: unknown): undefined {
  console.warn('What changed cannot be kept on this device.', failure);
}

/** What another tab has taken over is read from the device, whatever it was. */
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
