import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import fastify, { type FastifyRequest } from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { batchIn } from '../../server/protocol/batch-form.ts';
import { callerOf } from '../../server/protocol/caller.ts';
import { encodable } from '../../server/protocol/encodable.ts';
import { answerErrors, refusalOf } from '../../server/protocol/errors.ts';
import { insertNamed, namedFiles } from '../../server/protocol/named-files.ts';
import { pathOf } from '../../server/protocol/path.ts';
import { listRoutes } from '../../server/protocol/records.ts';
import { jsonAnswer, sendJson } from '../../server/protocol/send.ts';
import { readSubmitted } from '../../server/protocol/submitted.ts';
import { Refusal } from '../../server/errors/refusal.ts';
import type { OwnStore } from '../../server/stores/store.ts';
import type { ReceivedFile } from '../../server/uploads/received.ts';
import { FIRST_ROWS } from '../../src/domain/limits.ts';
import { generators } from '../../src/domain/resources/generators.ts';
import { ups } from '../../src/domain/resources/ups.ts';
import { serverOf } from './harness.ts';

const HASH = 'a'.repeat(64);

const key = (index: number) => `key-number-${index}`;
const partner = (more: object = {}, index = 0) => ({
  key: key(index),
  op: 'update',
  resource: 'partners',
  id: '7',
  ...more,
});
const read = (...changes: object[]) => {
  const body = { changes };
  try {
    return batchIn({ body } as FastifyRequest).changes.length;
  } catch (error) {
    return error instanceof Refusal ? error.status : error;
  }
};

test('accepts a batch of one to fifty changes with distinct keys', () => {
  const many = (count: number) => Array.from({ length: count }, (_, index) => partner({}, index));
  expect([read(), read(...many(1)), read(...many(50)), read(...many(51))]).toEqual([400, 1, 50, 413]);
  expect(read(partner(), partner())).toBe(400);
  for (const body of [undefined, 'text', {}, { changes: {} }, many(1)])
    expect(() => batchIn({ body } as FastifyRequest)).toThrow('There is no list of changes.');
});

test.each([
  ['an update of a record', {}, 1],
  ['an id of a hundred characters', { id: 'x'.repeat(100), op: 'create' }, 1],
  ['a longer local id', { id: 'x'.repeat(101), op: 'create' }, 400],
  ['a new record with an id of the server', { op: 'create' }, 400],
  ['no id', { id: undefined }, 400],
  ['an empty id', { id: '' }, 400],
  ['an unknown kind', { resource: 'people' }, 400],
  ['an unknown operation', { op: 'drop' }, 400],
  ['a short key', { key: 'short' }, 400],
  ['the settings', { resource: 'site-meta', id: undefined }, 1],
  ['the settings with an id', { resource: 'site-meta', id: '1' }, 400],
  ['the removal of the settings', { resource: 'site-meta', id: undefined, op: 'delete' }, 400],
  ['the removal of an image', { op: 'delete-image', imageId: 3 }, 1],
  ['the removal of no image', { op: 'delete-image' }, 400],
  ['the removal of image 0', { op: 'delete-image', imageId: 0 }, 400],
  ['the removal of half an image', { op: 'delete-image', imageId: 1.5 }, 400],
  ['texts', { fields: { name: 'a' } }, 1],
  ['a number for a text', { fields: { name: 1 } }, 400],
  ['no texts', { fields: null }, 400],
  ['a version', { version: 'v' }, 1],
  ['a number for a version', { version: 1 }, 400],
  ['invalid files', { files: [{}] }, 400],
])('reads or refuses a batch with %s as a whole', (_what, more, expected) => {
  expect(read(partner(more))).toBe(expected);
});

test('lets a change follow only an earlier one of the same record', () => {
  const after = key(0);
  expect(read(partner(), partner({ after }, 1))).toBe(2);
  expect(read(partner({ after: key(1) }), partner({}, 1))).toBe(400);
  expect(read(partner(), partner({ after, id: '8' }, 1))).toBe(400);
  expect(read(partner(), partner({ after, resource: 'projects' }, 1))).toBe(400);
  const create = (index: number, id: string) => partner({ op: 'create', id }, index);
  expect([read(create(0, 'a'), create(1, 'b')), read(create(0, 'a'), create(1, 'a'))]).toEqual([2, 400]);
});

const named = (sha256: string, place?: number) => ({
  field: 'f',
  sha256,
  name: 'n',
  type: 'image/png',
  ...(place === undefined ? {} : { place }),
});

test('inserts named files at their places, and appends those without one', () => {
  const parts = ['p0', 'p1', 'p2'].map((sha256) => ({ sha256 }) as ReceivedFile);
  const order = (...files: ReturnType<typeof named>[]) => insertNamed(parts, files).map(({ sha256 }) => sha256);
  expect(order(named('x'), named('b', 2), named('a', 0))).toEqual(['a', 'p0', 'b', 'p1', 'p2', 'x']);
  expect(order(named('x', 9), named('y'))).toEqual(['p0', 'p1', 'p2', 'x', 'y']);
});

test('reads a list of named files completely or not at all, and at most a thousand', () => {
  const list = (count: number, more: object = {}) =>
    JSON.stringify(Array.from({ length: count }, () => ({ ...named(HASH), ...more })));
  expect(namedFiles(undefined)).toEqual([]);
  expect([namedFiles('[]').length, namedFiles(list(1000)).length, namedFiles(list(1, { place: 0 })).length]).toEqual([
    0, 1000, 1,
  ]);
  expect(namedFiles(list(1, { name: 'x'.repeat(255) }))).toHaveLength(1);
  const bad = [
    { place: -1 },
    { place: 0.5 },
    { sha256: HASH.toUpperCase() },
    { sha256: 'a' },
    { name: 'x'.repeat(256) },
    { field: 1 },
  ];
  for (const text of [list(1001), ...bad.map((more) => list(1, more)), '{}', 'no json', '[null]'])
    expect(() => namedFiles(text)).toThrow('cannot be read');
});

test('compresses answers of a kilobyte or more as the client accepts, under one ETag', async () => {
  const bytes = Buffer.from('x'.repeat(1024));
  const body = encodable(bytes, 4);
  const [br, gzip, none] = await Promise.all(
    ['gzip, br', 'gzip;q=1', 'brotli, x-gzipped'].map((one) => body.encodedFor(one)),
  );
  expect([br?.encoding, gzip?.encoding, none]).toEqual(['br', 'gzip', { encoding: undefined, bytes }]);
  expect(brotliDecompressSync(br?.bytes ?? '')).toEqual(bytes);
  expect(gunzipSync(gzip?.bytes ?? '')).toEqual(bytes);
  expect((await body.encodedFor('br')).bytes).toBe(br?.bytes);
  expect((await encodable(bytes.subarray(1), 4).encodedFor('br')).encoding).toBeUndefined();
  expect((await encodable(bytes, undefined).encodedFor('br')).encoding).toBeUndefined();
  expect(body.etag).toMatch(/^W\/"[\w-]{22}"$/);
  expect(encodable(bytes, 9).etag).toBe(body.etag);
});

test('answers 304 to a matching ETag, weak or not, and varies by encoding', async () => {
  const app = serverOf((own) => {
    own.get('/', (request, reply) => sendJson(request, reply, jsonAnswer({ a: 1 }), '"v1"'));
    own.get('/made', (request, reply) => sendJson(request, reply, jsonAnswer({ a: 1 })));
  });
  const status = async (tag: string) => (await app.inject({ url: '/', headers: { 'if-none-match': tag } })).statusCode;
  expect(await Promise.all(['"v1"', 'W/"v1"', '"v0", W/"v1"', '"v2"', 'v1'].map(status))).toEqual([
    304, 304, 304, 200, 200,
  ]);
  const { headers, body } = await app.inject('/');
  expect(headers).toMatchObject({
    etag: '"v1"',
    vary: 'Accept-Encoding',
    'cache-control': 'private, no-cache',
    'content-type': 'application/json; charset=utf-8',
    'content-length': '7',
  });
  expect(body).toBe('{"a":1}');
  const again = await app.inject({
    url: '/made',
    headers: { 'if-none-match': String((await app.inject('/made')).headers.etag) },
  });
  expect([again.statusCode, again.body, again.headers.vary]).toEqual([304, '', 'Accept-Encoding']);
});

test('trims texts, unifies their line ends, and prefers a field’s own name over its alias', () => {
  const form = (texts: Record<string, string>) => ({ texts: new Map(Object.entries(texts)), files: [] });
  const [text] = generators.fields.filter(({ kind }) => kind === 'text');
  const name = text?.name ?? '';
  expect(readSubmitted(generators.fields, form({ [name]: ' a\r\nb\r\n' })).values[name]).toBe('a\nb');
  expect(readSubmitted(ups.fields, form({ type: 'Online', series: 'Other' })).values['type']).toBe('Online');
});

const fault = (more: object) => Object.assign(new Error('inside'), more);
const RAW = { raw: { destroyed: false, complete: true } } as FastifyRequest;

test.each([
  [{ code: 'ENOSPC' }, 503, 'storage', '60'],
  [{ code: 'EROFS' }, 503, 'storage', '60'],
  [{ errcode: 5 }, 503, 'storage', '60'],
  [{ code: 'DATABASE_AWAY' }, 503, 'database', '10'],
  [{ code: 'FILES_AWAY' }, 503, 'database', '10'],
  [{ code: '25006' }, 503, 'database', '10'],
  [{ statusCode: 413 }, 413, 'request-too-large', undefined],
  [{ statusCode: 503 }, 503, 'too-slow', undefined],
  [{ statusCode: 400 }, 400, undefined, undefined],
  [{ statusCode: 499 }, 499, undefined, undefined],
  [{}, 500, undefined, undefined],
  [{ statusCode: 302 }, 500, undefined, undefined],
])('answers the error %j with %i', (more, status, code, retryAfter) => {
  const refusal = refusalOf(fault(more), RAW);
  expect([refusal.status, refusal.body.code, refusal.headers['Retry-After']]).toEqual([status, code, retryAfter]);
  if (status === 500) expect(refusal.message).not.toContain('inside');
});

test('answers 400 to a request that was cut off, and 500 to one that was read completely', () => {
  const of = (raw: object) => refusalOf(fault({}), { raw } as unknown as FastifyRequest).status;
  expect([of({ destroyed: true, complete: false }), of({ destroyed: true, complete: true })]).toEqual([400, 500]);
});

test('logs server errors but not refusals, and lets no browser cache either', async () => {
  const lines: { level: number; msg: string; err: { message: string; stack: string } }[] = [];
  const app = fastify({
    logger: { level: 'error', stream: { write: (line: string) => void lines.push(JSON.parse(line)) } },
  });
  onTestFinished(() => app.close());
  answerErrors(app);
  const errors = [
    new Refusal(422, { message: 'no' }, {}, ['a=1', 'b=2']),
    new Refusal(500, { message: 'its own' }),
    new Error('x'),
  ];
  app.get<{ Params: { at: string } }>('/:at', async ({ params }) => {
    throw errors[Number(params.at)];
  });
  const answers = await Promise.all([0, 1, 2].map((at) => app.inject(`/${at}`)));
  expect(answers.map(({ statusCode, headers }) => [statusCode, headers['cache-control']])).toEqual([
    [422, 'no-store'],
    [500, 'no-store'],
    [500, 'no-store'],
  ]);
  expect(answers[0]?.headers['set-cookie']).toEqual(['a=1', 'b=2']);
  expect(lines.map(({ msg, err }) => [msg, err.message])).toEqual([
    ['request failed', 'its own'],
    ['request failed', 'x'],
  ]);
  expect(lines[1]?.err.stack).toContain('protocol-rules.test.ts');
});

test.each([
  ['/a%20b?x=1', '/a b'],
  ['http://desk.example.com/a?x', '/a'],
  ['HTTPS://desk.example.com', '/'],
  ['/a#b', '/a'],
  ['/%', '/%'],
  ['', '/'],
])('reads the path of %j as %j', (url, path) => {
  expect(pathOf({ url } as FastifyRequest)).toBe(path);
});

test('limits pages to a million, and accepts only exact values for the first rows and the whole list', async () => {
  const parts: object[] = [];
  const list = async (_resource: unknown, part: object) => {
    parts.push(part);
    return jsonAnswer([]);
  };
  const app = serverOf((own) => listRoutes(own, { list } as unknown as OwnStore));
  const queries = ['', '?page=3', '?page=0', '?page=-2', '?page=x', `?page=${'9'.repeat(30)}`];
  for (const query of [...queries, `?first=${FIRST_ROWS}`, '?first=7', '?full=1', '?full=yes'])
    await app.inject(`${generators.endpoints.list}${query}`);
  expect(parts).toEqual([
    ...[1, 3, 1, 1, 1, 1_000_000].map((page) => ({ page, isFull: false })),
    { page: 1, most: FIRST_ROWS, isFull: false },
    { page: 1, isFull: false },
    { page: 1, isFull: true },
    { page: 1, isFull: false },
  ]);
});

test('passes on a cookie with the answer to a change, and identifies the sender with role and credentials', async () => {
  const app = serverOf((own) => {
    own.decorateRequest('signedIn', null);
    own.get('/', async (request, reply) => {
      request.signedIn = {
        user: { id: 7, name: 'Anna', email: 'anna@example.com' },
        tokenHash: 'hash',
        role: 'editor',
      };
      const { user, role, credentials, setCookie } = callerOf(request, reply);
      setCookie('a=1; Path=/');
      return { user, role, credentials };
    });
  });
  const headers = { authorization: 'Bearer token', cookie: 'b=2', 'x-xsrf-token': 'value' };
  const answer = await app.inject({ url: '/', headers });
  expect(answer.headers['set-cookie']).toBe('a=1; Path=/');
  expect(answer.json()).toEqual({
    user: { id: 7, name: 'Anna', email: 'anna@example.com' },
    role: 'editor',
    credentials: { token: 'token', cookie: 'b=2', antiForgery: 'value' },
  });
});
