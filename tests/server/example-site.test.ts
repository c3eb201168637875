import { execFile } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import type { ResourceName } from '../../src/domain/resource.ts';
import { RESOURCES, resourceOf } from '../../src/domain/resources/index.ts';
import { formOf, freshFolder, signedIn } from './harness.ts';
import { siteMeta } from '../../src/domain/resources/site-meta.ts';
import { sitePageOf } from '../../src/domain/site-pages.ts';
import { filesFor, valuesFor } from './samples.ts';

const BUILD = join(import.meta.dirname, '../../examples/site/build.js');
const run = promisify(execFile);

/** A listening server with one record of each kind, and a function that builds the site from it. */
async function sited() {
  const { app, admin } = await signedIn({ CONTENT: 'public' });
  const create = async (name: ResourceName, values: Record<string, string> = {}) => {
    const resource = resourceOf(name);
    const form = formOf({ ...valuesFor(resource.fields), ...values }, await filesFor(resource));
    expect((await admin.post(resource.endpoints.create, form)).statusCode).toBe(200);
  };
  for (const { name } of RESOURCES) await create(name);
  const address = await app.listen({ port: 0, host: '127.0.0.1' });
  const out = join(await freshFolder(), 'site');
  const build = async () =>
    (await run(process.execPath, [BUILD], { env: { ...process.env, VOLTDESK_URL: address, OUT: out } })).stdout.trim();
  const read = (path: string) => readFileSync(join(out, path), 'utf8');
  return { admin, create, build, read, out };
}

/** Addresses of a page that lead to the site itself. */
function ownLinks(page: string): string[] {
  const found = [...page.matchAll(/(?:href|src)="(\/[^"]*)"|(\/uploads\/\S+) \d+w/g)];
  return found.map(([, link, source]) => link ?? source ?? '');
}

test('the example site shows every kind, links only to what it has, and fetches each file once', async () => {
  const { create, build, read, out } = await sited();
  await create('generators', { brand: '<b>&"Power"</b>', capacity: '20 kVA' });
  expect(await build()).toMatch(/^\d+ pages, [1-9]\d* new files$/);
  const pages = globSync('**/*.html', { cwd: out });
  const links = pages.flatMap((page) => ownLinks(read(page)));
  expect(links.length).toBeGreaterThan(100);
  const missing = links.filter((link) => !existsSync(join(out, link.endsWith('/') ? `${link}index.html` : link)));
  expect(missing).toEqual([]);
  const all = pages.map(read).join('\n');
  expect(all).toContain('&lt;b&gt;&amp;&quot;Power&quot;&lt;/b&gt;');
  expect(all).not.toMatch(/<script|<b>|undefined|\[object/);
  for (const shown of ['Generator model one', 'Text one', 'Project name one', 'Name one', 'Catalogue (PDF, 1 kB)'])
    expect(all).toContain(shown);
  expect(await build()).toMatch(/ 0 new files$/);
});

test('a page of a deleted record is gone after the next build', async () => {
  const { admin, build, out } = await sited();
  await build();
  const before = globSync('ups/*/index.html', { cwd: out }).filter((path) => /ups\/\d/.test(path));
  expect(before).toHaveLength(1);
  await admin.post('/api/delete-ups/1', undefined);
  await build();
  expect(existsSync(join(out, before[0] ?? ''))).toBe(false);
});

test('every record is where the app links it to', async () => {
  const { build, read } = await sited();
  await build();
  for (const resource of [...RESOURCES, siteMeta]) {
    const { pathname, hash } = new URL(sitePageOf({ siteUrl: 'https://a.example', sitePaths: '' }, resource, 1) ?? '');
    const page = read(`${pathname}index.html`);
    if (hash !== '') expect(page).toContain(` id="${hash.slice(1)}"`);
  }
});
