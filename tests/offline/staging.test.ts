import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { refusalErrors } from '../../src/domain/outbox/refusal-errors.ts';
import { haltFiles } from '../../src/offline/outbox/halt-files.ts';
import { queueState } from '../../src/offline/outbox/queries.ts';
import { drain } from '../../src/offline/sender/drain.ts';
import type { PickedFile } from '../../src/offline/storage/files.ts';
import { generatorDraft, generatorValues, heavyDraft, photo } from './support/drafts.ts';
import { cut, json, OfflineWorld, page } from './support/offline-world.ts';

const KB = 1024;

/** A unique catalogue of this many bytes. */
function document(mark: string, size: number): PickedFile {
  const head = Buffer.from(`%PDF-1.4\n% ${mark}\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n`);
  const rest = Buffer.alloc(size - head.length);
  for (let at = 0; at < rest.length; at += 32) createHash('sha256').update(`${mark}/${at}`).digest().copy(rest, at);
  return { field: 'catalog', blob: new Blob([head, rest]), name: `${mark}.pdf`, type: 'application/pdf' };
}

function withDocument(mark: string, size: number) {
  return { ...generatorDraft(mark), files: [document(mark, size), photo(mark)] };
}

async function hashOf({ blob }: PickedFile): Promise<string> {
  return createHash('sha256')
    .update(Buffer.from(await blob.arrayBuffer()))
    .digest('hex');
}

let world: OfflineWorld;
/** What was sent, by method and path, and the bytes of its pieces. */
let log: string[];
let pieces: number;

const isPiece = ({ method }: Request) => method === 'PATCH';

beforeEach(async () => {
  world = await OfflineWorld.begin('own');
  log = [];
  pieces = 0;
  onWrites((request, pass) => pass(request));
});

/** Handles what is written; reads pass. */
function onWrites(wire: (request: Request, pass: (request: Request) => Promise<Response>) => Promise<Response>): void {
  world.device.wire = async (request, pass) => {
    if (request.method === 'GET') return pass(request);
    log.push(`${request.method} ${new URL(request.url).pathname.replace(/[0-9a-f]{64}/, '…')}`);
    if (isPiece(request)) pieces += (await request.clone().arrayBuffer()).byteLength;
    return wire(request, pass);
  };
}

/** Lets only the first bytes of a piece arrive before the link is gone. */
async function halfOf(request: Request, pass: (request: Request) => Promise<Response>): Promise<never> {
  const body = (await request.arrayBuffer()).slice(0, 100 * KB);
  await pass(new Request(request.url, { method: 'PATCH', headers: request.headers, body }));
  return cut() as never;
}

/** Has the server lose the staged document before the first create is sent. */
function losesDocument(lost: PickedFile): void {
  let isLost = false;
  onWrites(async (request, pass) => {
    if (request.url.endsWith('/api/create-generator') && !isLost) {
      isLost = true;
      const headers = new Headers(request.headers);
      headers.set('Tus-Resumable', '1.0.0');
      headers.delete('content-type');
      const address = `/api/staging/${await hashOf(lost)}`;
      await pass(new Request(new URL(address, request.url), { method: 'DELETE', headers }));
    }
    return pass(request);
  });
}

async function storedHash(mark: string): Promise<string | undefined> {
  const [row] = await world.generators(mark);
  const { catalog } = await world.ask<{ catalog: string }>(`/api/get-single-generator/${row?.id}`);
  return world.backend.receivedSha256(catalog);
}

describe('a large file', () => {
  test('travels before its change, in pieces, and arrives with every byte', async () => {
    const draft = withDocument('pieces', 700 * KB);
    await world.save(draft);
    await world.drain();
    expect(await world.waiting()).toEqual([]);
    expect(log).toEqual([
      'POST /api/staging',
      ...Array.from({ length: log.length - 2 }, () => 'PATCH /api/staging/…'),
      'POST /api/create-generator',
    ]);
    expect(log.length).toBeGreaterThan(3);
    expect(pieces).toBe(700 * KB);
    expect(await storedHash('pieces')).toBe(await hashOf(document('pieces', 700 * KB)));
  });

  test('continues from the server’s offset after a cut within a piece', async () => {
    await world.save(withDocument('cut', 900 * KB));
    let cuts = 0;
    onWrites(async (request, pass) => {
      if (!isPiece(request) || (cuts += 1) > 3) return pass(request);
      return halfOf(request, pass);
    });
    await world.drain();
    for (let round = 0; round < 6; round += 1) {
      world.device.pass(60_000);
      await world.drain();
    }
    expect(await world.waiting()).toEqual([]);
    expect(await storedHash('cut')).toBe(await hashOf(document('cut', 900 * KB)));
  });

  test('is continued by the next sender, who asks for its offset', async () => {
    await world.save(withDocument('other', 600 * KB));
    onWrites(async (request, pass) => (isPiece(request) ? halfOf(request, pass) : pass(request)));
    await world.drain();
    log = [];
    pieces = 0;
    onWrites((request, pass) => pass(request));
    world.device.pass(60_000);
    await drain(world.device.environment());
    expect(log[0]).toBe('POST /api/staging');
    expect(pieces).toBe(500 * KB);
    expect(await storedHash('other')).toBe(await hashOf(document('other', 600 * KB)));
  });

  test('does not hold back changes that do not need it', async () => {
    await world.save(withDocument('large', 600 * KB));
    await world.save(generatorDraft('small'));
    await world.drain();
    expect(log.indexOf('POST /api/create-generator')).toBe(0);
    expect(await world.waiting()).toEqual([]);
  });

  test('holds back later changes of its own record', async () => {
    const created = await world.save(withDocument('own', 600 * KB));
    onWrites(async (request, pass) => (isPiece(request) ? halfOf(request, pass) : pass(request)));
    await world.drain();
    const { recordId } = created.change as { recordId: string };
    await world.save({
      op: 'update',
      resource: 'generators',
      recordId,
      values: { ...generatorValues('own'), origin: 'Spain' },
      files: [],
      base: { values: generatorValues('own'), imageIds: [] },
    });
    await world.linkReturns();
    const [row] = await world.generators('own');
    expect(await world.ask(`/api/get-single-generator/${row?.id}`)).toMatchObject({ origin: 'Spain' });
  });

  test('that was sent before is not sent again, not even for another record', async () => {
    await world.save(withDocument('twice', 600 * KB));
    await world.drain();
    pieces = 0;
    await world.save({ ...generatorDraft('again'), files: [document('twice', 600 * KB), photo('again')] });
    await world.drain();
    expect(await world.waiting()).toEqual([]);
    expect(pieces).toBe(0);
    expect(await storedHash('again')).toBe(await hashOf(document('twice', 600 * KB)));
  });

  test('that the server refuses is reported at its field with all other errors, before a byte is sent', async () => {
    const draft = withDocument('huge', 11 * 1024 * KB);
    await world.save({ ...draft, values: { ...draft.values, brand: '' } });
    await world.drain();
    expect(pieces).toBe(0);
    const [entry] = await world.waiting();
    expect(entry).toMatchObject({
      state: 'attention',
      reason: { status: 413, message: 'The given data was invalid.' },
    });
    expect(entry && refusalErrors(entry)).toEqual({
      catalog: ['Too large: 11 MB. The limit is 10 MB.'],
      brand: ['The brand field is required.'],
    });
  });

  test('that is not a document is reported at its field', async () => {
    const draft = generatorDraft('film');
    const film = { field: 'images', blob: new Blob([Buffer.alloc(300 * KB, 7)]), name: 'film.png', type: 'image/png' };
    await world.save({ ...draft, files: [document('film', 2 * KB), photo('film'), film] });
    await world.drain();
    const [entry] = await world.waiting();
    expect(entry?.reason?.errors).toEqual({
      'images.1': ['The file is neither a picture nor a PDF or Word document.'],
    });
  });

  test.each([404, 405, 501])('is sent inside its change when the server has no staging (%i)', async (status) => {
    const mark = `no-call-${status}`;
    await world.save(withDocument(mark, 300 * KB));
    onWrites(async (request, pass) =>
      new URL(request.url).pathname.startsWith('/api/staging') ? json(status, { message: 'No.' })() : pass(request),
    );
    await world.drain();
    expect(log).toEqual(['POST /api/staging', 'POST /api/create-generator']);
    expect(await storedHash(mark)).toBe(await hashOf(document(mark, 300 * KB)));
  });

  test('that arrived with wrong bytes starts again', async () => {
    await world.save(withDocument('damaged', 600 * KB));
    let spoilt = 0;
    onWrites(async (request, pass) => {
      if (!isPiece(request) || (spoilt += 1) > 1) return pass(request);
      const body = new Uint8Array(await request.arrayBuffer());
      body[1000] = (body[1000] ?? 0) ^ 1;
      return pass(new Request(request.url, { method: 'PATCH', headers: request.headers, body }));
    });
    await world.drain();
    expect(await world.waiting()).toEqual([]);
    expect(pieces).toBe(1200 * KB);
    expect(await storedHash('damaged')).toBe(await hashOf(document('damaged', 600 * KB)));
  });

  test('that the server has lost is sent again', async () => {
    await world.save(withDocument('swept', 600 * KB));
    losesDocument(document('swept', 600 * KB));
    await world.drain();
    expect(await world.waiting()).toEqual([]);
    expect(pieces).toBe(1200 * KB);
    expect(await storedHash('swept')).toBe(await hashOf(document('swept', 600 * KB)));
  });

  test('that the server still has is not asked about when another one of the change is lost', async () => {
    const { files } = heavyDraft('one-of-two', 400 * KB);
    const lost = document('one-of-two', 600 * KB);
    await world.save({ ...generatorDraft('one-of-two'), files: [lost, ...files.slice(1)] });
    losesDocument(lost);
    await world.drain();
    expect(await world.waiting()).toEqual([]);
    const after = log.slice(log.indexOf('POST /api/create-generator'));
    expect(after.filter((request) => request === 'POST /api/staging')).toHaveLength(1);
  });

  test('goes back to the shortest wait as soon as some of it has arrived', async () => {
    await world.save(withDocument('slow', 600 * KB));
    const waits: number[] = [];
    for (const arrives of [false, false, false, true]) {
      let asked = 0;
      onWrites((request, pass) =>
        isPiece(request) && (asked += 1) > Number(arrives) ? (cut() as never) : pass(request),
      );
      world.device.pass(5 * 60_000);
      await world.drain();
      const [upload] = (await queueState(world.page)).travel?.uploads.values() ?? [];
      waits.push((upload?.notBefore ?? 0) - world.page.now());
    }
    expect(waits).toEqual([1_500, 3_000, 6_000, 1_500]);
  });

  test('that was paused stays paused, even if it has to start again', async () => {
    const { id } = await world.save(withDocument('halted', 600 * KB));
    onWrites(async (request, pass) => {
      if (!isPiece(request)) return pass(request);
      if (pieces === 600 * KB) await haltFiles(world.page, id, true);
      const body = new Uint8Array(await request.arrayBuffer());
      body[1000] = (body[1000] ?? 0) ^ 1;
      return pass(new Request(request.url, { method: 'PATCH', headers: request.headers, body }));
    });
    await world.drain();
    const sent = log.length;
    await world.linkReturns();
    expect(log).toHaveLength(sent);
    expect(await world.waiting()).toMatchObject([{ id, state: 'pending' }]);
    onWrites((request, pass) => pass(request));
    await haltFiles(world.page, id, false);
    await world.drain();
    expect(await storedHash('halted')).toBe(await hashOf(document('halted', 600 * KB)));
  });

  test.each([
    ['a proxy refuses the pieces', page(405)],
    ['the server does not know the request', json(404, { message: 'Not found.' })],
  ])('is sent inside its change when %s', async (why, answer) => {
    const mark = `inside ${why.length}`;
    await world.save(withDocument(mark, 600 * KB));
    onWrites(async (request, pass) => (isPiece(request) ? answer() : pass(request)));
    await world.drain();
    expect(await world.waiting()).toEqual([]);
    expect(await storedHash(mark)).toBe(await hashOf(document(mark, 600 * KB)));
  });

  test('whose bytes the device has lost is named before anything is sent', async () => {
    const entry = await world.save(withDocument('lost', 600 * KB));
    await world.page.outbox.files.toCollection().modify((row) => {
      Object.assign(row, { bytes: new Uint8Array(600 * KB).buffer });
    });
    await world.drain();
    const [waiting] = await world.waiting();
    expect([waiting?.id, waiting?.state, waiting?.reason?.code]).toEqual([entry.id, 'attention', 'file-lost']);
    expect(pieces).toBe(0);
  });
});
