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

/** Precaches the app's files. Returns a lookup by address, without a query. The lookup returns undefined for other files. */
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
  if (file.revision) key.searchParams.set(REVISION, file.revision);
  return key.href;
}

/**
 * Fetches all missing files; the version is not installed if one fails. Fetches one at a time, so that the open page has
 * priority. The app's page comes last: on a captive portal, which answers with its own page, the other files fail first.
 */
async function fetchMissing(name: string, keys: ReadonlyMap<string, string>): Promise<void> {
  const cache = await caches.open(name);
  const kept = new Set((await cache.keys()).map(({ url }) => url));
  const pagesLast = [...keys].toSorted(([one], [other]) => Number(namesPage(one)) - Number(namesPage(other)));
  for (const [address, key] of pagesLast) {
    if (kept.has(key)) continue;
    // bypass the browser's cache for a file whose address stays the same
    const answer = await fetch(address, { cache: key === address ? 'default' : 'reload' });
    if (!answer.ok || (isPage(answer) && !namesPage(address))) throw new Error(`${address}: ${answer.status}`);
    await cache.put(key, await asAnswered(answer));
  }
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
async function dropOthers(name: string, keys: ReadonlySet<string>): Promise<void> {
  const cache = await caches.open(name);
  const old = (await cache.keys()).filter(({ url }) => !keys.has(url));
  await Promise.all(old.map((request) => cache.delete(request)));
}
