import { cp, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { pagesOf } from './pages.js';

/** Files that are fetched side by side. */
const FETCHED_AT_ONCE = 6;

/**
 * Builds the site from a running Voltdesk into plain files. Fetches only files that are not there yet, since a stored file
 * never changes, and puts the new pages in the place of the old ones in three renames: visitors never see half of them.
 * Settings: VOLTDESK_URL, CONTENT_TOKEN (if the content asks for one) and OUT (the folder, `site` if absent).
 */
export async function build(
  { VOLTDESK_URL = 'http://127.0.0.1:3000', CONTENT_TOKEN = '', OUT = 'site' } = process.env,
) {
  const headers = CONTENT_TOKEN === '' ? {} : { authorization: `Bearer ${CONTENT_TOKEN}` };
  const content = await (await ask(new URL('/content/v1/all', VOLTDESK_URL), headers)).json();
  const [next, old, uploads] = [`${OUT}.next`, `${OUT}.old`, join(OUT, 'uploads')];
  await rm(next, { recursive: true, force: true });
  await rm(old, { recursive: true, force: true });
  await mkdir(uploads, { recursive: true });
  const wanted = new Map();
  const local = (address) => {
    const { pathname, search } = new URL(address, VOLTDESK_URL);
    const name = basename(pathname) + (search === '' ? '' : `${search.replace('?width=', '-')}.webp`);
    wanted.set(name, new URL(pathname + search, VOLTDESK_URL));
    return `/uploads/${name}`;
  };
  const pages = pagesOf(content, local);
  for (const [path, page] of pages) await write(join(next, path.endsWith('/') ? `${path}index.html` : path), page);
  await cp(new URL('style.css', import.meta.url), join(next, 'style.css'));
  const present = new Set(await readdir(uploads));
  const missing = [...wanted].filter(([name]) => !present.has(name));
  await fetchFiles(missing, uploads);
  await rename(OUT, old);
  await rename(join(old, 'uploads'), join(next, 'uploads'));
  await rename(next, OUT);
  for (const name of present) if (!wanted.has(name)) await rm(join(uploads, name));
  await rm(old, { recursive: true, force: true });
  return { pages: pages.size, fetched: missing.length };
}

/** Fetches files, a few at a time. One that arrives only in part has another name. */
async function fetchFiles(files, folder) {
  const queue = [...files];
  const work = async () => {
    for (let one = queue.pop(); one !== undefined; one = queue.pop()) {
      const [name, address] = one;
      const answer = await ask(address, { accept: 'image/webp,*/*' });
      await write(join(folder, `${name}.part`), new Uint8Array(await answer.arrayBuffer()));
      await rename(join(folder, `${name}.part`), join(folder, name));
    }
  };
  await Promise.all(Array.from({ length: FETCHED_AT_ONCE }, work));
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
