import { existsSync } from 'node:fs';
import { cp, link, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pagesOf } from './pages.js';

/** Files that are fetched side by side. */
const FETCHED_AT_ONCE = 6;

/**
 * Builds the site from a running Voltdesk into plain files. Fetches only files that are not there yet, since a stored file
 * never changes, and puts the new site in the place of the old one in two renames: visitors never see half of it.
 * Settings: VOLTDESK_URL, CONTENT_TOKEN (if the content asks for one) and OUT (the folder, `site` if absent).
 */
export async function build(
  { VOLTDESK_URL = 'http://127.0.0.1:3000', CONTENT_TOKEN = '', OUT = 'site' } = process.env,
) {
  const headers = CONTENT_TOKEN === '' ? {} : { authorization: `Bearer ${CONTENT_TOKEN}` };
  const content = await (await ask(new URL('/content/v1/all', VOLTDESK_URL), headers)).json();
  const [next, old] = [`${OUT}.next`, `${OUT}.old`];
  await rm(next, { recursive: true, force: true });
  const wanted = new Map();
  const local = (address) => {
    const { pathname, search } = new URL(address, VOLTDESK_URL);
    const path = search === '' ? pathname : `${pathname}${search.replace('?width=', '-')}.webp`;
    wanted.set(path, new URL(pathname + search, VOLTDESK_URL));
    return path;
  };
  const pages = pagesOf(content, local);
  for (const [path, page] of pages) await write(join(next, path.endsWith('/') ? `${path}index.html` : path), page);
  await cp(new URL('style.css', import.meta.url), join(next, 'style.css'));
  const fetched = await fetchFiles(wanted, OUT, next);
  if (existsSync(OUT)) await rename(OUT, old);
  await rename(next, OUT);
  await rm(old, { recursive: true, force: true });
  return { pages: pages.size, fetched };
}

/** Links the files that the present site has, and fetches the others. */
async function fetchFiles(wanted, present, next) {
  const queue = [...wanted];
  let fetched = 0;
  const work = async () => {
    for (let one = queue.pop(); one !== undefined; one = queue.pop()) {
      const [path, address] = one;
      const known = join(present, path);
      if (existsSync(known)) await linkFile(known, join(next, path));
      else {
        const answer = await ask(address, { accept: 'image/webp,*/*' });
        await write(join(next, path), new Uint8Array(await answer.arrayBuffer()));
        fetched += 1;
      }
    }
  };
  await Promise.all(Array.from({ length: FETCHED_AT_ONCE }, work));
  return fetched;
}

async function linkFile(known, path) {
  await mkdir(dirname(path), { recursive: true });
  await link(known, path);
}

async function ask(address, headers) {
  const answer = await fetch(address, { headers, signal: AbortSignal.timeout(60_000) });
  if (!answer.ok) throw new Error(`${address} answered ${answer.status}: ${(await answer.text()).slice(0, 200)}`);
  return answer;
}

async function write(path, content) {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
}

if (import.meta.main ?? process.argv[1]?.endsWith('build.js')) {
  const { pages, fetched } = await build();
  console.log(`${pages} pages, ${fetched} new files`);
}
