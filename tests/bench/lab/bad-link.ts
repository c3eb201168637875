import { drainAwake } from '../../../src/offline/sender/drain-loop.ts';
import { enqueue } from '../../../src/offline/outbox/enqueue.ts';
import { browserEnvironment } from '../../../src/offline/storage/browser-environment.ts';
import { ABOUT, inverterDraft, inverterValues, partnerDraft } from './drafts.ts';
import { randomBlob } from './scratch-db.ts';

const POLL = 50;
/** The longest interval at which a page checks for pending changes. Milliseconds. */
const LOOK = 60_000;
const PIXEL = 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';

/** A catalogue of this many bytes that servers accept: it starts like a PDF, and is not compressible. */
async function catalogOf(bytes: number): Promise<Blob> {
  const head = '%PDF-1.4\n';
  return new Blob([head, randomBlob(bytes - head.length, 'application/pdf')], { type: 'application/pdf' });
}

/** A logo of this many bytes: a GIF of one pixel, followed by bytes that viewers ignore. */
function logoOf(bytes: number): Blob {
  const pixel = Uint8Array.from(atob(PIXEL), (letter) => letter.charCodeAt(0));
  return new Blob([pixel, randomBlob(bytes - pixel.length, 'image/gif')], { type: 'image/gif' });
}

async function saveCatalog(bytes: number): Promise<void> {
  const type = 'application/pdf';
  const catalog = { field: 'catalog', blob: await catalogOf(bytes), name: 'catalog.pdf', type };
  const photo = { field: 'images', blob: logoOf(200), name: 'photo.gif', type: 'image/gif' };
  await enqueue(browserEnvironment(), inverterDraft([catalog, photo]), ABOUT);
}

async function saveLogo(bytes: number): Promise<void> {
  const file = { field: 'image', blob: logoOf(bytes), name: 'logo.gif', type: 'image/gif' };
  await enqueue(browserEnvironment(), partnerDraft([file]), ABOUT);
}

/** Enqueues an edit of the server's inverter with this number. */
async function saveEdit(place: number): Promise<void> {
  const values = { ...inverterValues(), capacity: `${place} kW` };
  const base = { version: `v${place}`, values: {}, imageIds: [] };
  const recordId = String(place);
  const resource = 'grid-tie-inverters';
  await enqueue(browserEnvironment(), { op: 'update', resource, recordId, values, files: [], base }, ABOUT);
}

async function waiting(): Promise<number> {
  const { outbox } = browserEnvironment();
  const held = await outbox.entries.where('state').equals('attention').first();
  if (held !== undefined) throw new Error(`needs attention: ${JSON.stringify(held.reason)}`);
  // Counts by the index: watching must not slow the measurement.
  return outbox.entries.where('state').notEqual('done').count();
}

let sender: Promise<void> | undefined;

/** Sends as pages and worker do: after each backoff, and every minute. */
async function send(): Promise<void> {
  const device = browserEnvironment();
  while ((await waiting()) > 0) {
    const { until = 0 } = await drainAwake(device);
    const rest = Math.min(LOOK, Math.max(POLL, until - device.now()));
    await new Promise((resolve) => setTimeout(resolve, rest));
  }
  sender = undefined;
}

/** The milliseconds until at most this many changes are pending. */
async function sentBut(left: number): Promise<number> {
  const began = performance.now();
  sender ??= send();
  const failed = sender.then(() => undefined);
  while ((await waiting()) > left) {
    await Promise.race([failed, new Promise((resolve) => setTimeout(resolve, POLL))]);
  }
  return performance.now() - began;
}

async function times(count: number, save: (place: number) => Promise<void>): Promise<number> {
  for (let place = 1; place <= count; place += 1) await save(place);
  return count;
}

/** A real queue in front of a real server. */
export const badLinkExperiments = {
  'save catalog': (bytes: number) => times(1, () => saveCatalog(bytes)),
  'save logos': (count: number, bytes: number) => times(count, () => saveLogo(bytes)),
  /** Edits of the records after the first `after`. */
  'save edits': (count: number, after = 0) => times(count, (place) => saveEdit(after + place)),
  'sent but': sentBut,
};
