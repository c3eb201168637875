import { readFileSync } from 'node:fs';
import sharp, { type Sharp } from 'sharp';
import { expect, test } from 'vitest';
import { certifications } from '../../src/domain/resources/certifications.ts';
import { generators } from '../../src/domain/resources/generators.ts';
import type { Resource } from '../../src/domain/resource.ts';
import { type Bytes, bytesOf, type Specimen } from './corpus/bytes.ts';
import { documentCorpus, wordDocuments } from './corpus/documents.ts';
import { pictureCorpus } from './corpus/pictures.ts';
import { ADMIN, formOf, freshFolder, signedIn, type TestFile } from './harness.ts';
import { signIn, startProcess } from './process.ts';
import { filesFor, pdf, sha256, valuesFor } from './samples.ts';

/** A server in its own process, which the files may kill. */
async function victim() {
  const server = startProcess({ DATA_DIR: await freshFolder(), ADMIN_PASSWORD: ADMIN.password, ...memorySettings() });
  const address = await server.listening();
  return { ...server, address, headers: await signIn(address, ADMIN.password) };
}

/**
 * As in `npm start`, the service and the image: freed memory does not stay with each thread, and young objects are collected
 * even on a busy machine (otherwise they occupy up to 128 MB).
 */
function memorySettings() {
  const { start } = (JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: { start: string } }).scripts;
  const [, MALLOC_ARENA_MAX = '', NODE_OPTIONS = ''] =
    /^MALLOC_ARENA_MAX=(\d+) exec node (--max-\S+)/.exec(start) ?? [];
  expect(readFileSync('Dockerfile', 'utf8')).toContain(`"${NODE_OPTIONS}"`);
  expect(readFileSync('docs/deployment.md', 'utf8')).toContain(`node ${NODE_OPTIONS} --import`);
  return { MALLOC_ARENA_MAX, NODE_OPTIONS };
}

type Victim = Awaited<ReturnType<typeof victim>>;

/** Creates a record with that file in place of the field's own. */
async function offer({ address, headers }: Victim, resource: Resource, field: string, [name, bytes]: Specimen) {
  const file: TestFile = { field, bytes, name, type: 'image/png' };
  const files = [...(await filesFor(resource)).filter((other) => other.field !== field), file];
  const body = formOf(valuesFor(resource.fields), files);
  const answer = await fetch(address + resource.endpoints.create, { method: 'POST', headers, body });
  return { status: answer.status, ...((await answer.json()) as { id?: number; errors?: Record<string, unknown> }) };
}

/** Uploads every file, four at a time, and reads what was stored. Returns how often each status came. */
async function offerAll(server: Victim, resource: Resource, field: string, corpus: readonly Specimen[]) {
  const statuses: Record<number, number> = {};
  const waiting = [...corpus];
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const answer = await offer(server, resource, field, next);
      expect([next[0], [200, 422].includes(answer.status)]).toEqual([next[0], true]);
      if (answer.status === 422) expect([next[0], Object.keys(answer.errors ?? {})]).toEqual([next[0], [field]]);
      else await lookAt(server, resource, field, Number(answer.id), next);
      statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: 4 }, work));
  return statuses;
}

/** Serves accepted files harmlessly: no script runs in them, and pictures come in every size. */
async function lookAt({ address, headers }: Victim, resource: Resource, field: string, id: number, specimen: Specimen) {
  const record = await (await fetch(`${address}${resource.endpoints.single}/${id}`, { headers })).json();
  const name = (record as Record<string, string>)[field];
  const isPicture = field === 'image';
  for (const query of isPicture ? ['', '?width=100', '?width=1200'] : ['']) {
    const served = await fetch(`${address}/uploads/${name}${query}`);
    expect([specimen[0], query, served.status]).toEqual([specimen[0], query, 200]);
    expect(served.headers.get('content-security-policy')).toContain('sandbox');
    expect(served.headers.get('x-content-type-options')).toBe('nosniff');
    expect(served.headers.get('content-type')).toMatch(isPicture ? /^image\// : /^application\//);
    if (!isPicture) expect(served.headers.get('content-disposition')).toMatch(/^attachment;/);
    const bytes = Buffer.from(await served.arrayBuffer());
    if (isPicture) for (const evil of ['<script>', '<?php', 'evil.jar']) expect(bytes.includes(evil)).toBe(false);
    else expect(sha256(bytes)).toBe(sha256(specimen[1]));
  }
}

/** The peak memory of a process in megabytes. 0 where the system does not report it. */
function mostMemory({ child }: Victim): number {
  if (process.platform !== 'linux') return 0;
  return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1024;
}

/**
 * Megabytes. The server itself takes 110 MB. With the most expensive accepted picture, decoded and encoded, and uncollected
 * garbage, it takes 290 to 350 MB, depending on the load of the machine. docs/deployment.md requires 512 MB.
 */
const MEMORY_BOUND = 400;

test('survives every broken and hostile picture, with a clear answer and bounded memory', async () => {
  const server = await victim();
  const corpus = await pictureCorpus();
  const statuses = await offerAll(server, certifications, 'image', corpus);
  console.log(`${corpus.length} pictures: ${JSON.stringify(statuses)}; at most ${mostMemory(server).toFixed(0)} MB`);
  expect(statuses[200]).toBeGreaterThan(50);
  expect(statuses[422]).toBeGreaterThan(100);
  expect(mostMemory(server)).toBeLessThan(MEMORY_BOUND);
  expect(server.child.exitCode).toBeNull();
}, 300_000);

/** A single-coloured picture of that size. It costs as much to decode as any other. */
async function large(width: number, height: number, encode: (picture: Sharp) => Sharp): Promise<Bytes> {
  const picture = sharp({ create: { width, height, channels: 3, background: '#446688' } });
  return bytesOf(await encode(picture).toBuffer());
}

test('scales photos of the largest cameras to 12 megapixels, and refuses those that need too much memory', async () => {
  const server = await victim();
  const turned = (picture: Sharp) => picture.withMetadata({ orientation: 6 });
  const inFullColour = (picture: Sharp) => picture.jpeg({ progressive: true, chromaSubsampling: '4:4:4' });
  const offers: [string, Promise<Bytes>, number][] = [
    ['a JPEG of 12 megapixels', large(4000, 3000, (picture) => picture.jpeg()), 200],
    ['a JPEG of 48 megapixels', large(8064, 6048, (picture) => picture.jpeg()), 200],
    ['a turned JPEG of 48 megapixels', large(8064, 6048, (picture) => turned(picture.jpeg())), 200],
    ['a PNG of 48 megapixels', large(8064, 6048, (picture) => picture.png()), 200],
    ['a progressive JPEG of 24 megapixels', large(6000, 4000, (picture) => picture.jpeg({ progressive: true })), 200],
    ['a WebP of 24 megapixels', large(6000, 4000, (picture) => picture.webp()), 200],
    ['a progressive JPEG of 48 megapixels', large(8064, 6048, (picture) => picture.jpeg({ progressive: true })), 422],
    ['a progressive JPEG of 20 megapixels with all its colours', large(5000, 4000, inFullColour), 422],
    ['an interlaced PNG of 48 megapixels', large(8064, 6048, (picture) => picture.png({ progressive: true })), 422],
    ['a WebP of 48 megapixels', large(8064, 6048, (picture) => picture.webp()), 422],
    ['a JPEG of 54 megapixels', large(9000, 6000, (picture) => picture.jpeg()), 422],
  ];
  for (const [name, bytes, status] of offers) {
    const answer = await offer(server, certifications, 'image', [name, await bytes]);
    expect([name, answer.status, answer.errors]).toEqual([name, status, status === 200 ? undefined : TOO_LARGE]);
    if (answer.id !== undefined) expect([name, await sizeOf(server, answer.id)]).toEqual([name, 12]);
  }
  console.log(`large pictures: at most ${mostMemory(server).toFixed(0)} MB`);
  expect(mostMemory(server)).toBeLessThan(MEMORY_BOUND);
}, 300_000);

const TOO_LARGE = { image: [expect.stringMatching(/at most 50 megapixels, .* or 12 to 25, /)] };

/** Megapixels of a stored picture; the rotated one is upright. */
async function sizeOf({ address, headers }: Victim, id: number): Promise<number> {
  const record = await (await fetch(`${address}${certifications.endpoints.single}/${id}`, { headers })).json();
  const served = await fetch(`${address}/uploads/${(record as { image: string }).image}`);
  const { width, height, orientation } = await sharp(await served.arrayBuffer()).metadata();
  expect(orientation).toBeUndefined();
  return Math.round((width * height) / 1_000_000);
}

test('survives every broken and hostile document, and serves accepted ones as downloads', async () => {
  const server = await victim();
  const corpus = documentCorpus();
  const statuses = await offerAll(server, generators, 'catalog', corpus);
  console.log(`${corpus.length} documents: ${JSON.stringify(statuses)}; at most ${mostMemory(server).toFixed(0)} MB`);
  expect(statuses[200]).toBeGreaterThan(30);
  expect(statuses[422]).toBeGreaterThan(20);
  expect(mostMemory(server)).toBeLessThan(MEMORY_BOUND);
  expect(server.child.exitCode).toBeNull();
}, 300_000);

/** Creates a generator with that catalogue. Returns the status and the refused fields. */
async function withCatalogue(bytes: Bytes) {
  const { admin } = await signedIn();
  const files = (await filesFor(generators)).map((file) => (file.field === 'catalog' ? { ...file, bytes } : file));
  const answer = await admin.post(generators.endpoints.create, formOf(valuesFor(generators.fields), files));
  return [answer.statusCode, Object.keys(answer.json().errors ?? {})];
}

const OLE = '\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1';

test.each([
  ['an Excel file in the same envelope as Word', bytesOf(OLE, Buffer.from('Workbook', 'utf16le'))],
  ['a ZIP that is not a Word document', bytesOf('PK\x03\x04', 'evil.exe', 'PK\x01\x02', 'evil.exe')],
  ['a page', bytesOf('<!doctype html><script>alert(1)</script>')],
  ['a PDF with leading bytes', bytesOf('<html>', pdf())],
])('refuses %s as a catalogue', async (_what, bytes) => {
  expect(await withCatalogue(bytes)).toEqual([422, ['catalog']]);
});

test.each(wordDocuments())('accepts %s, a Word document, by its content', async (_name, bytes) => {
  expect(await withCatalogue(bytes)).toEqual([200, []]);
});

test('accepts an old Word document by its content', async () => {
  const bytes = bytesOf(OLE, Buffer.alloc(600), Buffer.from('WordDocument', 'utf16le'));
  expect(await withCatalogue(bytes)).toEqual([200, []]);
});
