import { isPage } from './content-type.ts';
import type { WorkerScope } from './scope.ts';

/** A file of the app. Without a revision, the address identifies the content. */
interface AppFile {
  readonly url: string;
  readonly revision?: string | null;
}

declare const self: WorkerScope & {
  readonly __WB_MANIFEST: readonly AppFile[];
  readonly location: URL;
};

/** Uses the name and keys of Workbox, which stored the files earlier, so that devices do not fetch them again. */
const CACHE = 'workbox-precache-v2-';
const REVISION = '__WB_REVISION__';

/** Names with a content hash. The manifest leaves them to a list, a file of its own, which only an installation reads. */
const HASHED = /^\/assets\/[\w.-]+\.(js|css|woff2)$/;
const LIST = /\.json$/;

/** Precaches the app's files. Returns a lookup by address, without a query. The lookup returns undefined for other files. */
export function precache(): (address: string) => Promise<Response | undefined> | undefined {
  const name = CACHE + self.registration.scope;
  const keys = new Map(self.__WB_MANIFEST.map((file) => [absolute(file.url), keyOf(file)]));
  self.addEventListener('install', (event) => event.waitUntil(fetchMissing(name, keys)));
  self.addEventListener('activate', (event) => event.waitUntil(dropOthers(name, keys)));
  return (address) => {
    const { href, origin, pathname } = new URL(address, self.location.href);
    const key = keys.get(href) ?? (origin === self.location.origin && HASHED.test(pathname) ? href : undefined);
    return key === undefined ? undefined : caches.match(key, { cacheName: name });
  };
}

function absolute(url: string): string {
  return new URL(url, self.location.href).href;
}

function keyOf({ url, revision }: AppFile): string {
  const key = new URL(absolute(url));
  if (revision) key.searchParams.set(REVISION, revision);
  return key.href;
}

/**
 * Fetches all missing files; the version is not installed if one fails. Fetches one at a time, so that the open page has
 * priority. The app's page comes last: on a captive portal, which answers with its own page, the other files fail first.
 */
async function fetchMissing(name: string, keys: ReadonlyMap<string, string>): Promise<void> {
  const cache = await caches.open(name);
  const kept = new Set((await cache.keys()).map(({ url }) => url));
  const fetchOne = async (address: string, key: string) => {
    if (kept.has(key)) return;
    // bypass the browser's cache for a file whose address stays the same
    const answer = await fetch(address, { cache: key === address ? 'default' : 'reload' });
    if (!answer.ok || (isPage(answer) && !namesPage(address))) throw new Error(`${address}: ${answer.status}`);
    // throws before an unreadable list is stored
    if (LIST.test(address)) await answer.clone().json();
    await cache.put(key, await asAnswered(answer));
    kept.add(key);
  };
  for (const list of listsIn(keys)) await fetchOne(list, list);
  const listed = (await listedIn(cache, keys)).map((address) => [address, address] as const);
  const pagesLast = [...listed, ...keys].toSorted(
    ([one], [other]) => Number(namesPage(one)) - Number(namesPage(other)),
  );
  for (const [address, key] of pagesLast) await fetchOne(address, key);
}

function listsIn(keys: ReadonlyMap<string, string>): string[] {
  return [...keys.keys()].filter((address) => LIST.test(address));
}

/** The addresses that the precached lists name. A list that the browser has removed names none. */
async function listedIn(cache: Cache, keys: ReadonlyMap<string, string>): Promise<string[]> {
  const lists = await Promise.all(
    listsIn(keys).map(async (list) => ((await (await cache.match(list))?.json()) ?? []) as string[]),
  );
  return lists.flat().map(absolute);
}

function namesPage(address: string): boolean {
  return address.endsWith('.html');
}

/** Removes the redirect flag of an answer. Browsers reject a redirected answer to a navigation. */
async function asAnswered(answer: Response): Promise<Response> {
  if (!answer.redirected) return answer;
  const { headers, status, statusText } = answer;
  return new Response(await answer.blob(), { headers, status, statusText });
}

/** Deletes the files of earlier versions when this one takes over. */
async function dropOthers(name: string, keys: ReadonlyMap<string, string>): Promise<void> {
  const cache = await caches.open(name);
  const wanted = new Set([...keys.values(), ...(await listedIn(cache, keys))]);
  const old = (await cache.keys()).filter(({ url }) => !wanted.has(url));
  await Promise.all(old.map((request) => cache.delete(request)));
}
