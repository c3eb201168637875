import { expect, onTestFinished, test } from 'vitest';
import { generators } from '../../src/domain/resources/generators.ts';
import { formOf, signedIn } from './harness.ts';
import { openBelow } from './open-below.ts';
import { filesFor, picture, valuesFor } from './samples.ts';
import { begin, bigPdf, createWith, named, sendPiece, stage } from './staging-client.ts';

/** What this process holds open of files that people have sent. */
const openUploads = async (dataDir: string) =>
  (await Promise.all(['uploads', 'staging'].map((name) => openBelow(`${dataDir}/${name}`)))).flat();

// a server may have a thousand at most, and runs for months
test('holds no file open once a request is answered, even a refused one', async () => {
  const { admin, app, dataDir } = await signedIn();
  const open = () => expect.poll(() => openUploads(dataDir), { interval: 5 });
  // a file left open is closed by the garbage collector with a warning, and in a later Node ends the process
  const warnings: string[] = [];
  const warned = ({ message }: Error) => void warnings.push(message);
  process.on('warning', warned);
  onTestFinished(() => void process.off('warning', warned));
  const [bytes, photo] = [bigPdf(50_000), await picture('png')];
  await stage(admin, photo);
  await begin(admin, bytes, bytes.subarray(0, 20_000));
  await open().toEqual([]);
  const files = [named('catalog', bytes), named('images', photo)];
  expect((await createWith(admin, files)).statusCode).toBe(409);
  expect((await sendPiece(admin, bytes, 10_000)).statusCode).toBe(409);
  expect((await sendPiece(admin, bytes, 20_000)).statusCode).toBe(204);
  expect((await createWith(admin, files)).statusCode).toBe(200);
  await open().toEqual([]);
  const parts = await filesFor(generators);
  const spoilt = parts.map((part) => (part.field === 'catalog' ? { ...part, bytes: new Uint8Array(9) } : part));
  const create = (sent: typeof parts) =>
    admin.post(generators.endpoints.create, formOf(valuesFor(generators.fields), sent));
  expect([(await create(spoilt)).statusCode, (await create(parts)).statusCode]).toEqual([422, 200]);
  await app.services.sizes.done();
  const { catalog, images } = (await admin.get(`${generators.endpoints.single}/2`)).json();
  for (const path of [catalog, images[0].image, `${images[0].image}?width=100`]) {
    expect((await admin.get(`/uploads/${path}`, { range: 'bytes=0-9' })).rawPayload).toHaveLength(10);
    await admin.get(`/uploads/${path}`, { range: 'bytes=99999999-' });
  }
  await open().toEqual([]);
  await new Promise((told) => setImmediate(told));
  expect(warnings.filter((warning) => warning.includes('garbage collection'))).toEqual([]);
});
