import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { readCapabilities } from '../../../src/domain/protocol/capabilities.ts';
import { type Laravel, startLaravel } from '../../harness/laravel.ts';
import { CREATE, catalog, photos, single, VALUES } from '../gateway-ups.ts';
import { formOf, type TestFile, withKey } from '../harness.ts';

/** The full protocol, spoken directly with a genuine Laravel that has the middleware. */

let laravel: Laravel;
let token = '';

beforeAll(async () => {
  laravel = await startLaravel({ withVoltdesk: true });
}, 60_000);
afterAll(() => laravel.close());
beforeEach(async () => {
  laravel.reset();
  token = await laravel.signIn();
});

const get = (path: string) => fetch(laravel.origin + path, { headers: headersWith({}) });

function headersWith(more: Readonly<Record<string, string>>): Record<string, string> {
  return {
    accept: 'application/json',
    'x-requested-with': 'XMLHttpRequest',
    authorization: `Bearer ${token}`,
    ...more,
  };
}

function post(path: string, more: Readonly<Record<string, string>>, values = {}, files: readonly TestFile[] = []) {
  return fetch(laravel.origin + path, { method: 'POST', headers: headersWith(more), body: formOf(values, files) });
}

const create = async (more = withKey(), count = 1) => post(CREATE, more, VALUES, [catalog, ...(await photos(count))]);
const rows = async () => (await (await get('/api/get-upss')).json()) as { id: number }[];
const record = async (id = 1) =>
  (await (await get(single(id))).json()) as { brand: string; version: string; images: { id: number }[] };

test('it says what it can do, with the limits of its PHP', async () => {
  const answer = await get('/api/capabilities');
  expect(readCapabilities(answer.status, await answer.json())).toMatchObject({
    server: 'voltdesk',
    idempotencyKeys: true,
    versions: true,
    changesByKey: true,
    feed: false,
    limits: { maxFileBytes: 10_485_760, maxRequestBytes: 12_582_912, maxFilesPerRequest: 20 },
  });
});

test('a repeat of a create gets the first answer, with its id and version', async () => {
  const key = withKey();
  const first = await (await create(key, 3)).json();
  expect(first).toMatchObject({ id: 1, version: (await record()).version });
  const again = await create(key, 3);
  expect(await again.json()).toEqual(first);
  expect(again.headers.get('idempotent-replayed')).toBe('true');
  const looked = await get(`/api/changes/${key['idempotency-key']}`);
  expect([looked.status, await looked.json()]).toEqual([200, first]);
  expect(await rows()).toHaveLength(1);
});

test('another change under a used key is refused', async () => {
  const key = withKey();
  await create(key);
  const answer = await create(key, 2);
  expect([answer.status, await answer.json()]).toEqual([
    422,
    expect.objectContaining({ code: 'idempotency-key-reused' }),
  ]);
});

test('a refused change leaves its key free', async () => {
  const key = withKey();
  expect((await post(CREATE, key, { ...VALUES, brand: '' }, [catalog, ...(await photos(1))])).status).toBe(422);
  expect((await get(`/api/changes/${key['idempotency-key']}`)).status).toBe(404);
  expect((await create(key)).status).toBe(200);
});

test('an edit, a delete and the removal of an image are bound to the version that was seen', async () => {
  await create();
  const seen = await record();
  const match = { 'if-match': `"${seen.version}"` };
  const edited = await post(single(1), { ...withKey(), ...match }, { ...VALUES, brand: 'New' });
  expect(await edited.json()).toMatchObject({ version: (await record()).version });
  const late = [single(1), '/api/delete-ups/1', `/api/delete-image/${seen.images[0]?.id ?? 0}`];
  for (const path of late) {
    const answer = await post(path, { ...withKey(), ...match }, VALUES);
    expect([path, answer.status, await answer.json()]).toEqual([
      path,
      412,
      expect.objectContaining({ code: 'version-mismatch', version: (await record()).version }),
    ]);
  }
  expect(await record()).toMatchObject({ brand: 'New', images: seen.images });
});

test('adding and removing a picture makes another version, which the answer tells', async () => {
  await create();
  const before = await record();
  const added = await post(single(1), { ...withKey(), 'if-match': `"${before.version}"` }, VALUES, await photos(2));
  const { version } = (await added.json()) as { version: string };
  expect(version).not.toBe(before.version);
  const image = before.images[0]?.id ?? 0;
  const removed = await post(`/api/delete-image/${image}`, { ...withKey(), 'if-match': `"${version}"` });
  const after = await record();
  expect(await removed.json()).toMatchObject({ version: after.version });
  expect(after.images.map(({ id }) => id)).not.toContain(image);
});

test('a repeated delete gets its answer although the record is gone', async () => {
  await create();
  const key = withKey();
  const first = await (await post('/api/delete-ups/1', key)).json();
  expect(await (await post('/api/delete-ups/1', key)).json()).toEqual(first);
  expect((await post('/api/delete-ups/1', withKey())).status).toBe(404);
});

test('site meta has a version too', async () => {
  const read = await get('/api/site-meta');
  const { version, ...texts } = (await read.json()) as Record<string, string>;
  expect(read.headers.get('etag')).toBe(`"${version}"`);
  const values = { ...texts, title: 'Ours', fb: '', tw: '', li: '', metaTag: '' };
  const match = { 'if-match': `"${version}"` };
  expect((await post('/api/site-meta', { ...withKey(), ...match }, values)).status).toBe(200);
  expect((await post('/api/site-meta', { ...withKey(), ...match }, { ...values, title: 'Mine' })).status).toBe(412);
});

test('a worker that dies at any step of a change leaves all of it or nothing, and never a second one', async () => {
  const outcomes = new Set<number>();
  for (let step = 1; step <= 40; step += 1) {
    const key = withKey();
    laravel.plan({ reencodes: true, diesAt: step });
    const first = await create(key, 3).catch(() => undefined);
    const before = await untilAnswered(rows);
    if (first?.status === 200) {
      expect(outcomes).toEqual(new Set([0, 1]));
      return;
    }
    outcomes.add(before.length);
    expect((await create(key, 3)).status).toBe(200);
    const [row, ...more] = await rows();
    expect(more).toEqual([]);
    expect((await record(row?.id)).images).toHaveLength(3);
    await post(`/api/delete-ups/${row?.id}`, withKey());
  }
  expect.unreachable('the change has more steps than were tried');
});

/** Repeats a read until a new worker answers it. */
async function untilAnswered<T>(read: () => Promise<T>): Promise<T> {
  for (;;) {
    const answer = await read().catch(() => undefined);
    if (answer !== undefined) return answer;
  }
}
