import { isPage } from './content-type.ts';
import type { WorkerScope } from './scope.ts';

/** A file of the app. Its address tells its content where there is no revision. */
interface AppFile {
  readonly url: string;
  readonly revision: string | null;
}

declare const self: WorkerScope & {
  readonly __WB_MANIFEST: readonly AppFile[];
  readonly location: URL;
};

/** Named and keyed as Workbox does it, which kept the files before: what a device has is not fetched again. */
const CACHE = 'workbox-precache-v2-';
const REVISION = '__WB_REVISION__';

/** The app's files on the device. Answers how to find one, by its address without a query; undefined for what is none of them. */
export function precache(): (address: string) => Promise<Response | undefined> | undefined {
  const name = CACHE + self.registration.scope;
  const keys = new Map(self.__WB_MANIFEST.map((file) => [addressOf(file), keyOf(file)]));
  self.addEventListener('install', (event) => event.waitUntil(fetchMissing(name, keys)));
  self.addEventListener('activate', (event) => event.waitUntil(dropOthers(name, new Set(keys.values()))));
  return (address) => {
    const key = keys.get(new URL(address, self.location.href).href);
    return key === undefined ? undefined : caches.match(key, { cacheName: name });
  };
}

function addressOf({ url }: AppFile): string {
  return new URL(url, self.location.href).href;
}

function keyOf(file: AppFile): string {
  const key = new URL(addressOf(file));
  if (file.revision !== null) key.searchParams.set(REVISION, file.revision);
  return key.href;
}

/**
 * All of them, or the version is not installed. One after the other: the page that is open goes first. The app's own page is the last
 * one: a network that answers with a page of its own is found out by the others.
 */
async function fetchMissing(name: string, keys: ReadonlyMap<string, string>): Promise<void> {
  const cache = await caches.open(name);
  const kept = new Set((await cache.keys()).map(({ url }) => url));
  const pagesLast = [...keys].toSorted(([one], [other]) => Number(namesPage(one)) - Number(namesPage(other)));
  for (const [address, key] of pagesLast) {
    if (kept.has(key)) continue;
    // a file whose address stays the same is not to come out of the browser's own cache
    const answer = await fetch(address, { cache: key === address ? 'default' : 'reload' });
    if (!answer.ok || (isPage(answer) && !namesPage(address))) throw new Error(`${address} answered ${answer.status}.`);
    await cache.put(key, await asAnswered(answer));
  }
}

function namesPage(address: string): boolean {
  return address.endsWith('.html');
}

/** A navigation must not be answered with the end of a redirect. */
async function asAnswered(answer: Response): Promise<Response> {
  if (!answer.redirected) return answer;
  const { headers, status, statusText } = answer;
  return new Response(await answer.blob(), { headers, status, statusText });
}

/** The files of earlier versions go when this one takes over. */
async function dropOthers(name: string, keys: ReadonlySet<string>): Promise<void> {
  const cache = await caches.open(name);
  const old = (await cache.keys()).filter(({ url }) => !keys.has(url));
  await Promise.all(old.map((request) => cache.delete(request)));
}
