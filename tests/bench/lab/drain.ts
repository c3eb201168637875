import type { Queue } from 'workbox-background-sync';
import { browserEnvironment } from '../../../src/offline/storage/browser-environment.ts';
import { drain } from '../../../src/offline/sender/drain.ts';
import { enqueue } from '../../../src/offline/outbox/enqueue.ts';
import { queueState } from '../../../src/offline/outbox/queries.ts';
import { rememberSession } from '../../../src/offline/storage/session.ts';
import type { PickedFile } from '../../../src/offline/storage/files.ts';
import { ABOUT, inverterDraft, inverterValues, partnerDraft } from './drafts.ts';
import { randomBlob, strictScratch, timed } from './scratch-db.ts';

const CATALOG_BYTES = 200_000;
const ADDRESS = '/api/create-gti';

const catalog = randomBlob(CATALOG_BYTES, 'application/pdf');

function body(bytes?: Blob): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(inverterValues())) form.set(name, value);
  if (bytes !== undefined) form.set('catalog', bytes, 'catalog.pdf');
  return form;
}

async function post(form: FormData): Promise<void> {
  const answer = await fetch(ADDRESS, { method: 'POST', body: form });
  if (!answer.ok) throw new Error(`answered ${answer.status}`);
  await answer.json();
}

/** Fills a queue with this many changes. Returns the milliseconds per change to drain it. */
async function perChange(count: number, fill: () => Promise<unknown>, empty: () => Promise<unknown>): Promise<number> {
  for (let made = 0; made < count; made += 1) await fill();
  return (await timed(empty)) / count;
}

async function fillOurTexts(): Promise<void> {
  await enqueue(browserEnvironment(), inverterDraft([]), ABOUT);
}

async function fillOurs(): Promise<void> {
  const file = { field: 'catalog', blob: catalog, name: 'catalog.pdf', type: catalog.type };
  await enqueue(browserEnvironment(), inverterDraft([file]), ABOUT);
}

const LOGO_SIZE = 64;

async function logoFile(): Promise<PickedFile> {
  const canvas = new OffscreenCanvas(LOGO_SIZE, LOGO_SIZE);
  canvas.getContext('2d')?.fillRect(0, 0, LOGO_SIZE / 2, LOGO_SIZE);
  const blob = await canvas.convertToBlob({ type: 'image/png' });
  return { field: 'image', blob, name: 'logo.png', type: blob.type };
}

/** Enqueues a partner with a name and a logo, which every server accepts. */
async function fillPartners(): Promise<void> {
  await enqueue(browserEnvironment(), partnerDraft([await logoFile()]), ABOUT);
}

async function emptyOurs(): Promise<void> {
  const device = browserEnvironment();
  await drain(device);
  // Does not scan the receipts of earlier runs.
  const { waiting } = await queueState(device);
  if (waiting > 0) throw new Error(`${waiting} changes did not leave`);
}

/** Stores one change at a time. It is read by key and removed after its answer, with no further guarantees. */
async function fillPlainStore(): Promise<void> {
  const { changes, files } = strictScratch;
  const id = crypto.randomUUID();
  await strictScratch.transaction('rw', changes, files, async () => {
    await changes.add({ values: {}, files: [id] });
    await files.add({ id, bytes: catalog });
  });
}

async function fillPlainTexts(): Promise<void> {
  await strictScratch.changes.add({ values: {}, files: [] });
}

async function emptyPlainStore(): Promise<void> {
  const { changes, files } = strictScratch;
  for (let next = await changes.orderBy('sequence').first(); next; next = await changes.orderBy('sequence').first()) {
    const [id = ''] = next.files;
    await post(body((await files.get(id))?.bytes));
    const { sequence = 0 } = next;
    await strictScratch.transaction('rw', changes, files, () =>
      Promise.all([changes.delete(sequence), files.delete(id)]),
    );
  }
}

let workboxQueue: Promise<Queue> | undefined;

/** Opens Workbox's queue. It expects a worker's registration; without background sync there, it must be replayed by hand. */
async function openWorkboxQueue(): Promise<Queue> {
  Object.assign(globalThis, { registration: {} });
  const { Queue } = await import('workbox-background-sync');
  return new Queue('scratch', { onSync: () => Promise.resolve() });
}

async function fillWorkbox(bytes?: Blob): Promise<void> {
  workboxQueue ??= openWorkboxQueue();
  const request = new Request(ADDRESS, { method: 'POST', body: body(bytes) });
  await (await workboxQueue).pushRequest({ request });
}

async function emptyWorkbox(): Promise<void> {
  await (await workboxQueue)?.replayRequests();
}

/** Milliseconds per change of 200 kB, or without files (`texts`), sent in order. */
export const drainExperiments = {
  /** Uses the token after `#` in the page's address, if any. */
  'sign in': () => {
    const token = location.hash.slice(1) || 'bench';
    return rememberSession({ administrator: '1', name: 'Bench', token, rememberAcrossRestarts: true }).then(() => 0);
  },
  'drain ours': (count: number) => perChange(count, fillOurs, emptyOurs),
  'drain partners': (count: number) => perChange(count, fillPartners, emptyOurs),
  'drain plain store': (count: number) => perChange(count, fillPlainStore, emptyPlainStore),
  'drain workbox': (count: number) => perChange(count, () => fillWorkbox(catalog), emptyWorkbox),
  'drain our texts': (count: number) => perChange(count, fillOurTexts, emptyOurs),
  'drain plain texts': (count: number) => perChange(count, fillPlainTexts, emptyPlainStore),
  'drain workbox texts': (count: number) => perChange(count, () => fillWorkbox(), emptyWorkbox),
  'post only': (count: number) =>
    perChange(
      count,
      () => Promise.resolve(),
      async () => {
        for (let sent = 0; sent < count; sent += 1) await post(body(catalog));
      },
    ),
};
