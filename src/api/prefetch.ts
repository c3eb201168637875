import type { Resource } from '../domain/resource.ts';
import { RESOURCES } from '../domain/resources/index.ts';
import { siteMeta } from '../domain/resources/site-meta.ts';
import { isCurrent, useSession } from '../stores/session.ts';
import { refreshCapabilities } from './capabilities.ts';
import type { Copy } from './query-cache.ts';
import { device } from './device.ts';
import { ApiFailure } from './failure.ts';
import { beginFeed, followsRowsOnly } from './feed.ts';
import { adoptTaken, listCopy, lookupCopy, recordCopy, wholeRecords } from './sources.ts';

/** Maximum age of a copy that prefetching does not refresh. Milliseconds. */
const RECENT = 15 * 60_000;

/**
 * Prefetches everything needed offline: every list, every lookup list and, if the server supports it, every full record. A
 * server's feed delivers them all; otherwise they are requested one by one. Stops at the first request without an answer.
 */
export async function warmDevice(): Promise<void> {
  if (savesData() || useSession.getState().token === undefined) return;
  try {
    const { fullLists = false, feed = false } = (await refreshCapabilities()) ?? {};
    if (feed) await beginFeed(adoptTaken);
    else await readLists(fullLists);
    if (!feed || (await followsRowsOnly())) await readRest();
  } catch (failure) {
    if (!(failure instanceof ApiFailure)) throw failure;
  }
}

/** Refreshes the lists, one request at a time, behind everything the user waits for. */
async function readLists(fullLists: boolean): Promise<void> {
  for (const resource of RESOURCES) {
    await refreshUnlessRecent(listCopy(resource));
    if (fullLists) await keepWholeRecords(resource);
  }
}

async function readRest(): Promise<void> {
  await refreshUnlessRecent(lookupCopy('generator-series', ''));
  await refreshUnlessRecent(lookupCopy('ups-types', ''));
  await refreshUnlessRecent(recordCopy(siteMeta, siteMeta.only));
}

async function refreshUnlessRecent(copy: Copy<unknown>) {
  await copy.load();
  const { fetchedAt = 0 } = copy.state();
  if (!isRecent(fetchedAt)) await copy.refresh();
  const { failure } = copy.state();
  if (failure !== undefined) throw new ApiFailure('unreachable', failure);
}

/** A time in the future says nothing: the clock was ahead when the copy was read. */
function isRecent(fetchedAt: number): boolean {
  const age = Date.now() - fetchedAt;
  return age >= 0 && age <= RECENT;
}

/** Caches the full records of a list, unless a recent copy is there. Throws ApiFailure. */
export async function keepWholeRecords(resource: Resource): Promise<void> {
  const { cache } = await device();
  const kept = await cache.readWhole(resource.name);
  if (kept !== undefined && isRecent(kept.fetchedAt)) return;
  const fetchedAt = Date.now();
  const { token } = useSession.getState();
  const answer = await wholeRecords(resource, kept?.etag);
  // an answer to a request from before a log-out is not stored after it
  if (!isCurrent(token)) return;
  if (answer !== 'unchanged') await cache.writeWhole(resource.name, { ...answer, fetchedAt });
  else if (kept !== undefined) await cache.writeWhole(resource.name, { ...kept, fetchedAt });
}

/** True if the browser's data saving is on. */
export function savesData(): boolean {
  return (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true;
}
