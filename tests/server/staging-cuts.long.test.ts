import { readFileSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { type ClientRequest, request } from 'node:http';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PIECE_TYPE, STAGED_FILES, STAGING_PATH, TUS_VERSION } from '../../src/domain/protocol/staging.ts';
import { generators } from '../../src/domain/resources/generators.ts';
import { ADMIN, formOf, freshFolder, startServer, withKey } from './harness.ts';
import { signIn, startProcess } from './process.ts';
import { picture, sha256, valuesFor } from './samples.ts';
import { begin, bigPdf, metadataOf, named, offsetOf, sendPiece, stage, uploadOf } from './staging-client.ts';
import { witness } from './witness.ts';

type Bytes = Uint8Array<ArrayBuffer>;

/** A server in its own process that can be killed and restarted, and a device that uploads to it. */
async function served(settings: Record<string, string> = {}) {
  const dataDir = await freshFolder();
  const environment = { DATA_DIR: dataDir, ADMIN_PASSWORD: ADMIN.password, ...settings };
  let running = startProcess(environment);
  let address = await running.listening();
  const headers = { ...(await signIn(address, ADMIN.password)), 'tus-resumable': TUS_VERSION };
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(address + path, { ...init, headers: { ...headers, ...(init.headers as Record<string, string>) } });
  const begun = async (bytes: Bytes) => {
    const upload = { 'upload-length': String(bytes.length), 'upload-metadata': metadataOf(sha256(bytes)) };
    return offsetIn(await ask(STAGING_PATH, { method: 'POST', headers: upload }));
  };
  const asked = async (bytes: Bytes) => offsetIn(await ask(uploadOf(bytes), { method: 'HEAD' }));
  const piece = async (bytes: Bytes, offset: number, size = bytes.length) => {
    const more = { 'content-type': PIECE_TYPE, 'upload-offset': String(offset) };
    return ask(uploadOf(bytes), { method: 'PATCH', headers: more, body: bytes.slice(offset, offset + size) });
  };
  /** Starts to send everything from an offset, and sends that many bytes of it. */
  const partly = async (bytes: Bytes, offset: number, size: number): Promise<ClientRequest> => {
    const length = { 'content-length': String(bytes.length - offset), 'upload-offset': String(offset) };
    const more = { ...headers, 'content-type': PIECE_TYPE, ...length };
    const sending = request(address + uploadOf(bytes), { method: 'PATCH', headers: more });
    sending.on('error', () => undefined);
    await new Promise<void>((sent) => sending.write(bytes.subarray(offset, offset + size), () => sent()));
    return sending;
  };
  /** The size of an upload on the disk. */
  const onDisk = (bytes: Bytes): number => {
    const path = join(dataDir, 'staging', '1', `${sha256(bytes)}.${bytes.length}.part`);
    return readFileSync(path).length;
  };
  const restart = async () => {
    running.child.kill('SIGKILL');
    await running.ended;
    running = startProcess(environment);
    address = await running.listening();
  };
  /** Bytes since the last call. Signing in has its own peak. */
  const peakMemory = () => {
    const status = readFileSync(`/proc/${running.child.pid}/status`, 'utf8');
    writeFileSync(`/proc/${running.child.pid}/clear_refs`, '5');
    return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) * 1024;
  };
  return { dataDir, ask, begun, asked, piece, partly, onDisk, restart, peakMemory };
}

function offsetIn(answer: Response): number {
  expect(answer.ok).toBe(true);
  return Number(answer.headers.get('upload-offset'));
}

test('keeps what arrived of an interrupted piece, and continues from there', async () => {
  const { begun, asked, piece, partly, onDisk } = await served();
  const bytes = bigPdf(3_000_000);
  await begun(bytes);
  for (const cutAfter of [200_000, 700_000, 1_000_000]) {
    const offset = await asked(bytes);
    const sending = await partly(bytes, offset, cutAfter);
    await expect.poll(() => onDisk(bytes)).toBe(offset + cutAfter);
    sending.destroy();
    expect(await asked(bytes)).toBe(offset + cutAfter);
  }
  const last = await piece(bytes, 1_900_000);
  expect([last.status, last.headers.get('upload-offset')]).toEqual([204, '3000000']);
});

test('continues after a kill, within or between pieces, with every acknowledged byte', async () => {
  const { begun, asked, piece, partly, onDisk, restart, ask, dataDir } = await served();
  const bytes = bigPdf(2_000_000);
  const photo = await picture('png');
  await begun(photo);
  await piece(photo, 0);
  await begun(bytes);
  await restart();
  expect(await asked(bytes)).toBe(0);
  await piece(bytes, 0, 500_000);
  await restart();
  expect(await asked(bytes)).toBe(500_000);
  const sending = await partly(bytes, 500_000, 300_000);
  await expect.poll(() => onDisk(bytes)).toBeGreaterThan(500_000);
  await restart();
  sending.destroy();
  const offset = await asked(bytes);
  expect(offset).toBeGreaterThan(500_000);
  await piece(bytes, offset);
  await restart();
  expect(await asked(bytes)).toBe(2_000_000);
  const files = [named('catalog', bytes), named('images', photo)];
  const body = formOf({ ...valuesFor(generators.fields), [STAGED_FILES]: JSON.stringify(files) });
  const created = await ask(generators.endpoints.create, { method: 'POST', headers: withKey(), body });
  expect(created.status).toBe(200);
  const record = (await (await ask(`${generators.endpoints.single}/1`)).json()) as { catalog: string };
  expect(sha256(await readFile(join(dataDir, 'uploads', record.catalog)))).toBe(sha256(bytes));
});

test('ends a piece on a dead connection as soon as someone asks for the upload', async () => {
  const { begun, asked, piece, partly, onDisk } = await served();
  const bytes = bigPdf(1_000_000);
  await begun(bytes);
  const dead = await partly(bytes, 0, 400_000);
  await expect.poll(() => onDisk(bytes)).toBe(400_000);
  const closed = new Promise((resolve) => dead.once('close', resolve));
  expect(await asked(bytes)).toBe(400_000);
  await closed;
  expect((await piece(bytes, 400_000)).status).toBe(204);
  expect(await asked(bytes)).toBe(1_000_000);
});

test('completes a file that two clients send simultaneously', async () => {
  const { begun, asked, piece } = await served();
  const bytes = bigPdf(1_500_000);
  const sendAll = async () => {
    for (let offset = await begun(bytes); offset < bytes.length; ) {
      // the other one may interrupt it, like a cut
      await piece(bytes, offset, 100_000).catch(() => undefined);
      offset = await asked(bytes).catch(() => offset);
    }
  };
  await Promise.all([sendAll(), sendAll()]);
  expect(await asked(bytes)).toBe(1_500_000);
});

/** The first bytes of a phone's video. */
const MP4_HEAD = Buffer.from('\0\0\0\x20ftypisom\0\0\x02\0isomiso2avc1mp41', 'latin1');

test('accepts a PDF of 100 MB without holding it in memory, and refuses a video that size at its first piece', async () => {
  const settings = { MAX_FILE_MB: '100', MAX_REQUEST_MB: '110' };
  const { begun, piece, ask, dataDir, peakMemory } = await served(settings);
  const bytes = bigPdf(100 * 1024 * 1024);
  const photo = await picture('png');
  await begun(photo);
  await piece(photo, 0);
  await begun(bytes);
  const video = new Uint8Array(bytes);
  video.set(MP4_HEAD);
  expect(await begun(video)).toBe(0);
  expect((await piece(video, 0, 64 * 1024)).status).toBe(415);
  // nothing of it is left, so a new start is at zero
  expect(await begun(video)).toBe(0);
  peakMemory();
  const before = peakMemory();
  const step = 4 * 1024 * 1024;
  for (let offset = 0; offset < bytes.length; offset += step) {
    expect((await piece(bytes, offset, step)).status).toBe(204);
  }
  const files = [named('catalog', bytes), named('images', photo)];
  const body = formOf({ ...valuesFor(generators.fields), [STAGED_FILES]: JSON.stringify(files) });
  expect((await ask(generators.endpoints.create, { method: 'POST', body })).status).toBe(200);
  expect(peakMemory() - before).toBeLessThan(90 * 1024 * 1024);
  const record = (await (await ask(`${generators.endpoints.single}/1`)).json()) as { catalog: string };
  expect(sha256(await readFile(join(dataDir, 'uploads', record.catalog)))).toBe(sha256(bytes));
}, 120_000);

test('survives a crash at any step of an upload and its change without losing what it acknowledged', async () => {
  const dataDir = await freshFolder();
  const watch = witness(dataDir, await freshFolder(), (path) => !path.includes('.sizes'));
  // the database's own steps belong to crash.test.ts
  const server = await startServer({ DATA_DIR: dataDir }, { disk: watch.disk });
  const admin = await server.client();
  await admin.signIn();
  const [bytes, photo] = [bigPdf(3000), await picture('png')];
  await stage(admin, photo);
  const key = withKey();
  const files = [named('catalog', bytes), named('images', photo)];
  const form = () => formOf({ ...valuesFor(generators.fields), [STAGED_FILES]: JSON.stringify(files) });
  // what is acknowledged, and after how many steps
  const acknowledged: [steps: number, offset: number][] = [];
  const note = (offset: number) => void acknowledged.push([watch.taken.length, offset]);
  watch.arm(true);
  await begin(admin, bytes, bytes.subarray(0, 1000));
  note(1000);
  await sendPiece(admin, bytes, 1000, 1000);
  note(2000);
  await sendPiece(admin, bytes, 2000);
  note(3000);
  expect((await admin.post(generators.endpoints.create, form(), key)).statusCode).toBe(200);
  watch.arm(false);
  expect(watch.taken.length).toBeGreaterThan(30);

  for (const [step, copy] of watch.taken.entries()) {
    const revived = await startServer({ DATA_DIR: copy.folder });
    const again = await revived.client();
    again.useBearer(admin.bearer());
    await again.get('/api/user');
    const least = acknowledged.findLast(([steps]) => steps <= step)?.[1] ?? 0;
    const offset = (await offsetOf(again, bytes)) ?? 0;
    expect([copy.name, offset]).toEqual([copy.name, Math.max(offset, least)]);
    const begun = Number((await begin(again, bytes)).headers['upload-offset']);
    expect([copy.name, begun]).toEqual([copy.name, offset]);
    if (offset < bytes.length) expect((await sendPiece(again, bytes, offset)).statusCode).toBe(204);
    expect([copy.name, (await again.post(generators.endpoints.create, form(), key)).statusCode]).toEqual([
      copy.name,
      200,
    ]);
    const records = (await again.get(`${generators.endpoints.list}?full=1`)).json();
    expect([copy.name, records.length]).toEqual([copy.name, 1]);
    expect(sha256(await readFile(join(copy.folder, 'uploads', records[0].catalog)))).toBe(sha256(bytes));
    await revived.app.close();
  }
}, 120_000);
