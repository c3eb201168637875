import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { manageLookups } from '../../server/commands/lookups.ts';
import { feedAddress, listRowOf } from '../../src/domain/protocol/feed.ts';
import type { ListRow, Resource, ServerRecord } from '../../src/domain/resource.ts';
import { RESOURCES } from '../../src/domain/resources/index.ts';
import { generators } from '../../src/domain/resources/generators.ts';
import { partners } from '../../src/domain/resources/partners.ts';
import { projects } from '../../src/domain/resources/projects.ts';
import { siteMeta } from '../../src/domain/resources/site-meta.ts';
import { type Client, formOf, signedIn } from './harness.ts';
import { create, cursorNow, page, readOn } from './feed-client.ts';
import { valuesFor } from './samples.ts';

const NOTHING = { epoch: expect.any(String) as string, more: false, changed: {}, deleted: {} };

const update = async (admin: Client, resource: Resource, id: number, mark: string) =>
  admin.post(`${resource.endpoints.single}/${id}`, formOf(valuesFor(resource.fields, mark)));

test('costs at most 500 bytes when nothing changed, including all HTTP/1.1 overhead', async () => {
  const { app, admin } = await signedIn();
  const cursor = await cursorNow(admin);
  const origin = await app.listen({ host: '127.0.0.1', port: 0 });
  const answer = await admin.get(feedAddress(cursor), { 'accept-encoding': 'gzip, br' });
  const { authorization, cookie } = answer.raw.req.headers as Record<string, string>;
  const socket = connect(Number(new URL(origin).port), '127.0.0.1');
  socket.write(
    `GET ${feedAddress(cursor)} HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\nCookie: ${cookie}\r\n\r\n`,
  );
  const [bytes] = (await once(socket, 'data')) as [Buffer];
  socket.destroy();
  expect(String(bytes)).toMatch(/^HTTP\/1.1 200 OK\r\n.*"changed":\{\},"deleted":\{\}\}$/s);
  expect(bytes.length).toBeLessThanOrEqual(500);
});

test('renews the anti-forgery cookie of a browser that has lost it', async () => {
  const { app, admin } = await signedIn();
  const { authorization } = (await admin.get(feedAddress(undefined))).raw.req.headers as Record<string, string>;
  const answer = await app.inject({ url: feedAddress(undefined), headers: { authorization } });
  expect(answer.cookies.map(({ name }) => name)).toContain('XSRF-TOKEN');
});

test.each(RESOURCES)('returns a new $name whole, as in the list, and then nothing more', async (resource) => {
  const { admin } = await signedIn();
  const since = await cursorNow(admin);
  const id = await create(admin, resource, 'one');
  const told = await page(admin, since);
  const { pathname, search } = new URL(`${resource.endpoints.list}?full=1`, 'http://x');
  const whole = (await admin.get(`${pathname}${search}`)).json() as ServerRecord[];
  expect(told).toEqual({ cursor: told.cursor, ...NOTHING, changed: { [resource.name]: whole } });
  expect(whole.map((record) => record.id)).toEqual([id]);
  const rows = (await admin.get(resource.endpoints.list)).json() as ListRow[];
  expect(whole.map((record) => listRowOf(resource, record))).toEqual(rows);
  expect(await page(admin, told.cursor)).toEqual({ cursor: told.cursor, ...NOTHING });
});

test('returns a record once, however often it changed, and a deleted one by its id', async () => {
  const { admin } = await signedIn();
  const [kept, gone] = [await create(admin, partners, 'kept'), await create(admin, partners, 'gone')];
  const since = await cursorNow(admin);
  for (const mark of ['a', 'b', 'c']) await update(admin, partners, kept, mark);
  await update(admin, partners, gone, 'a');
  await admin.post(`${partners.endpoints.delete}/${gone}`, undefined);
  const { changed, deleted } = await page(admin, since);
  expect(changed.partners).toMatchObject([{ id: kept, name: 'Name c' }]);
  expect(deleted).toEqual({ partners: [gone] });
});

test('returns a record that lost an image', async () => {
  const { admin } = await signedIn();
  const id = await create(admin, projects, 'one');
  const { images } = (await admin.get(`${projects.endpoints.single}/${id}`)).json();
  const since = await cursorNow(admin);
  await admin.post(`/api/delete-image/${images[0].id}`, undefined);
  expect((await page(admin, since)).changed.projects?.[0]?.images).toEqual(images.slice(1));
});

test('returns records changed together in the order of their ids, each with its own images', async () => {
  const { admin } = await signedIn();
  const ids = [await create(admin, projects, 'one'), await create(admin, projects, 'two')];
  const since = await cursorNow(admin);
  for (const id of ids.toReversed()) await update(admin, projects, id, 'new');
  const { changed } = await page(admin, since);
  const whole = await Promise.all(ids.map((id) => admin.get(`${projects.endpoints.single}/${id}`)));
  expect(changed.projects).toMatchObject(ids.map((id, at) => ({ id, images: whole[at]?.json().images })));
  expect(changed.projects).toMatchObject([{ images: [{}, {}] }, { images: [{}, {}] }]);
});

test('returns the site settings, and all lists of choices after a command changed one', async () => {
  const { admin, app } = await signedIn();
  const since = await cursorNow(admin);
  await admin.post(siteMeta.endpoints.single, formOf(valuesFor(siteMeta.fields, 'new')));
  await manageLookups(app.services.db, ['add', 'ups-types', 'Flywheel']);
  const { settings, lookups } = await page(admin, since);
  expect(settings).toEqual((await admin.get(siteMeta.endpoints.single)).json());
  const ups = lookups?.find(({ lookup }) => lookup === 'ups-types');
  expect(ups?.options).toEqual((await admin.get('/api/get-all-ups-types')).json());
  expect(ups?.options).toContain('Flywheel');
  expect(ups?.options).toEqual(ups?.options.toSorted());
  expect(lookups?.filter(({ lookup }) => lookup === 'gti-brands').map(({ parent }) => parent)).toEqual([
    'Single Phase',
    'Three Phase',
  ]);
});

test('numbers nothing for a refused change', async () => {
  const { admin } = await signedIn();
  const since = await cursorNow(admin);
  expect((await admin.post(partners.endpoints.create, formOf({ name: '' }))).statusCode).toBe(422);
  expect(await page(admin, since)).toEqual({ cursor: since, ...NOTHING });
});

test('returns long results in pages, everything once, including what changes between two pages', async () => {
  const { admin, app } = await signedIn();
  const row = { version: 'v', created_at: '', updated_at: '' };
  const rows = Array.from({ length: 1200 }, () => row);
  await app.services.db
    .insertInto('generators' as 'records')
    .values(rows)
    .execute();
  const first = await page(admin);
  expect(first).toMatchObject({ snapshot: true, more: true });
  await update(admin, generators, 1, 'late');
  await admin.post(`${generators.endpoints.delete}/2`, undefined);
  const rest = await readOn(admin, first.cursor);
  expect(rest.some((one) => one.snapshot)).toBe(false);
  const records = new Map(
    [first, ...rest].flatMap(({ changed }) => (changed.generators ?? []).map((one) => [one.id, one] as const)),
  );
  expect(records.size).toBe(1200);
  expect(records.get(1)).toMatchObject({ generator_model: 'Generator model late' });
  expect(rest.at(-1)?.deleted).toEqual({ generators: [2] });
});

test.each([
  ['of another installation', 'stranger'],
  ['that is invalid', 'hello'],
  ['with extra text before it', 'before'],
  ['with extra text after it', 'behind'],
  ['that lies in the future', 'ahead'],
])('starts over for a cursor %s', async (_, cursor) => {
  const { admin } = await signedIn();
  await create(admin, partners, 'one');
  const [life, seq] = (await cursorNow(admin)).split('.');
  const wrong = { ahead: `${life}.999999`, stranger: `AAAAAAAAAAAA.${seq}` };
  const asked = { ...wrong, before: `1.${life}.${seq}`, behind: `${life}.${seq}.1` }[cursor] ?? cursor;
  expect(await page(admin, asked)).toEqual(await page(admin));
});

test('keeps its cursors after a restart', async () => {
  const { admin, app, dataDir } = await signedIn();
  const since = await cursorNow(admin);
  await app.close();
  const restarted = await signedIn({ DATA_DIR: dataDir });
  expect(await page(restarted.admin, since)).toEqual({ cursor: since, ...NOTHING });
});

test('answers signed-in users only, compressed and not cacheable', async () => {
  const { admin, app } = await signedIn();
  expect((await app.inject(feedAddress(undefined))).statusCode).toBe(401);
  const { headers } = await admin.get(feedAddress(undefined), { 'accept-encoding': 'br' });
  expect(headers).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'content-encoding': 'br',
  });
});
