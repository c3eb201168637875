import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { InjectOptions } from 'fastify';
import { expect, test } from 'vitest';
import type { ChangeAnswer } from '../../server/stores/store.ts';
import { STAGED_FILES, STAGING_PATH } from '../../src/domain/protocol/staging.ts';
import { CHANGES_PATH } from '../../src/domain/protocol/capabilities.ts';
import { generators } from '../../src/domain/resources/generators.ts';
import { partners } from '../../src/domain/resources/partners.ts';
import { change, linesOf, sendBatch } from './batch-client.ts';
import { gatewayWorld } from './gateway-world.ts';
import { encoded, type TestFile } from './harness.ts';
import { picture, sha256, valuesFor } from './samples.ts';
import { begin, bigPdf, named, offsetOf, sendPiece, stage } from './staging-client.ts';

/** A gateway, and the requests of its administrator's device. */
async function world(options: Parameters<typeof gatewayWorld>[0] = {}) {
  const gateway = await gatewayWorld(options);
  const deviceOf = (app: typeof gateway.app, token = gateway.token) => {
    const send = (request: InjectOptions) =>
      app.inject({ ...request, headers: { authorization: `Bearer ${token}`, ...request.headers } });
    const post = async (url: string, body: FormData | object | undefined) => {
      if (!(body instanceof FormData))
        return send({ method: 'POST', url, ...(body === undefined ? {} : { payload: body }) });
      const form = await encoded(body);
      return send({ method: 'POST', url, payload: form.body, headers: { 'content-type': form.type } });
    };
    return { send, post };
  };
  const names = async (...ids: readonly number[]) => {
    const answers = await Promise.all(ids.map((id) => gateway.admin.get(`${partners.endpoints.single}/${id}`)));
    return answers.map((answer) => answer.json().name);
  };
  const logo: TestFile = { field: 'image', bytes: await picture('png'), name: 'a.png', type: 'image/png' };
  const partner = (id: string, name: string) =>
    change('create', 'partners', { id, fields: { name }, files: [named('image', logo.bytes, 'a.png')] });
  return { ...gateway, device: deviceOf(gateway.app), deviceOf, names, logo, partner };
}

test('stages a file across a restart, and passes it on with its change', async () => {
  const { device, deviceOf, start, app, dataDir } = await world();
  const bytes = bigPdf(600_000);
  await stage(device, await picture('png'));
  const first = await stageHalf(device, bytes);
  expect(first).toBe(300_000);
  await app.close();
  const again = deviceOf(await start());
  expect(await offsetOf(again, bytes)).toBe(300_000);
  expect((await sendPiece(again, bytes, 300_000)).headers['upload-offset']).toBe('600000');
  const files = [named('catalog', bytes, 'p60.pdf'), named('images', await picture('png'), 'a.png')];
  const form = new FormData();
  for (const [name, text] of Object.entries(valuesFor(generators.fields))) form.append(name, text);
  form.append(STAGED_FILES, JSON.stringify(files));
  const answer = await again.post(generators.endpoints.create, form);
  expect(answer.statusCode).toBe(200);
  const { files: known } = (
    await again.send({ method: 'GET', url: `${generators.endpoints.single}/${answer.json().id}` })
  ).json();
  expect(known.map(({ sha256: hash }: { sha256: string }) => hash).toSorted()).toEqual(
    [sha256(bytes), sha256(await picture('png'))].toSorted(),
  );
  const waiting = (await readdir(join(dataDir, 'gateway'), { recursive: true, withFileTypes: true })).filter((one) =>
    one.isFile(),
  );
  expect(waiting).toEqual([]);
  expect(await offsetOf(again, bytes)).toBe(600_000);
});

async function stageHalf(device: Parameters<typeof stage>[0], bytes: Parameters<typeof stage>[1]) {
  await device.send({
    method: 'POST',
    url: '/api/staging',
    headers: {
      'tus-resumable': '1.0.0',
      'upload-length': String(bytes.length),
      'upload-metadata': `sha256 ${Buffer.from(sha256(bytes)).toString('base64')}`,
    },
  });
  await sendPiece(device, bytes, 0, 300_000);
  return offsetOf(device, bytes);
}

test('asks for a missing file before it passes anything on, and accepts the change once it has the file', async () => {
  const { device, link, logo, names, partner } = await world();
  const created = partner('local-1', 'one');
  const [lacking] = linesOf(await sendBatch(device, [created]));
  expect(lacking).toMatchObject({ status: 409, body: { code: 'stage-again', missing: [sha256(logo.bytes)] } });
  expect(link.posts).toEqual([]);
  await stage(device, logo.bytes);
  expect(linesOf(await sendBatch(device, [created]))).toMatchObject([{ status: 200, body: { id: 1 } }]);
  expect(await names(1)).toEqual(['one']);
});

test('hides one user’s staged files from another', async () => {
  const { device, deviceOf, app, signIn } = await world();
  const bytes = bigPdf(300_000);
  await stage(device, bytes);
  const other = deviceOf(app, await signIn('second@example.com'));
  expect(await offsetOf(other, bytes)).toBeUndefined();
});

test('passes on the changes of a batch one by one, and answers each', async () => {
  const { device, names, logo, partner } = await world();
  const created = partner('local-1', 'one');
  const edit = change('update', 'partners', { id: 'local-1', fields: { name: 'two' }, after: created.key });
  const bad = change('create', 'partners', { id: 'local-2', fields: { name: '' } });
  const late = change('delete', 'partners', { id: 'local-2' });
  const answer = await sendBatch(device, [created, edit, bad, late, partner('local-3', 'three')], [logo]);
  expect(linesOf(answer).map(({ status }) => status)).toEqual([200, 200, 422, 424, 200]);
  expect(linesOf(answer)[0]?.body as ChangeAnswer).toMatchObject({ id: 1 });
  expect(await names(1, 2)).toEqual(['two', 'three']);
  const again = await sendBatch(device, [created, edit], [logo]);
  expect(linesOf(again).map(({ replayed }) => replayed)).toEqual([true, true]);
  const keys = [created, edit, bad].map(({ key }) => key);
  const { answers } = (await device.send({ method: 'GET', url: `${CHANGES_PATH}?keys=${keys.join(',')}` })).json();
  expect(keys.map((key) => answers[key].status)).toEqual([200, 200, 404]);
});

test.each([
  ['in seconds', '17', [17, 17]],
  ['as a date', undefined, [400, 600]],
] as const)('passes the back end’s retry time on to a change of a batch, %s', async (_, header, [least, most]) => {
  const { device, link, logo, partner } = await world();
  link.faults.push(async () => ({
    status: 429,
    headers: {
      'content-type': 'application/json',
      'retry-after': header ?? new Date(Date.now() + 600_000).toUTCString(),
    },
    cookies: [],
    body: Buffer.from('{"message":"Too Many Attempts."}'),
  }));
  const [line] = linesOf(await sendBatch(device, [partner('local-1', 'one')], [logo]));
  expect(line?.status).toBe(429);
  expect(line?.retryAfter).toBeGreaterThanOrEqual(least);
  expect(line?.retryAfter).toBeLessThanOrEqual(most);
});

test('announces staging, batches and the size of the largest file', async () => {
  const { device } = await world({ settings: { MAX_FILE_MB: '3' } });
  expect((await device.send({ method: 'GET', url: '/api/capabilities' })).json()).toMatchObject({
    staging: { fromBytes: 262_144 },
    batches: { maxChanges: 50, maxBytes: 1_048_576 },
  });
  const staging = await device.send({ method: 'OPTIONS', url: STAGING_PATH });
  expect(staging.headers['tus-max-size']).toBe('3145728');
});

test('does not ask again for a large file that arrived with a change', async () => {
  const { device } = await world();
  const bytes = bigPdf(300_000);
  const parts = [
    new File([bytes], 'a.pdf', { type: 'application/pdf' }),
    new File([await picture('png')], 'a.png', { type: 'image/png' }),
  ] as const;
  const form = new FormData();
  for (const [name, text] of Object.entries(valuesFor(generators.fields))) form.append(name, text);
  form.append('catalog', parts[0]);
  form.append('images[]', parts[1]);
  expect((await device.post(generators.endpoints.create, form)).statusCode).toBe(200);
  expect((await begin(device, bytes)).headers['upload-offset']).toBe('300000');
});
