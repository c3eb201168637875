import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { Refusal } from '../../server/errors/refusal.ts';
import { asRefusal, BackEnd, jsonIn } from '../../server/stores/remote/back-end.ts';
import {
  NoAnswerError,
  NotSentError,
  type WireAnswer,
  type WireRequest,
} from '../../server/stores/remote/transport.ts';
import { partners } from '../../src/domain/resources/partners.ts';

const SENDER = { token: 'secret', cookie: '', antiForgery: '' };
const JSON_TYPE = 'application/json';
const HTML_TYPE = 'text/html; charset=utf-8';

const said = (status: number, body: string, type = JSON_TYPE, headers: Record<string, string> = {}): WireAnswer => ({
  status,
  headers: { 'content-type': type, ...headers },
  cookies: [],
  body: Buffer.from(body),
});

/** A back end that gives everyone the same answer, or one by the path, and the requests it received. */
function saying(answer: WireAnswer | Error | ((path: string) => WireAnswer)) {
  const asked: WireRequest[] = [];
  const backEnd = new BackEnd(async (request) => {
    asked.push(request);
    if (answer instanceof Error) throw answer;
    return typeof answer === 'function' ? answer(request.path) : answer;
  }, 60_000);
  return { asked, backEnd, reader: backEnd.readerFor(SENDER) };
}

/** The refusal that results. */
async function refused(asking: Promise<unknown>): Promise<Refusal> {
  const outcome = await asking.catch((error: unknown) => error);
  if (!(outcome instanceof Refusal)) throw new Error('It was not refused.');
  return outcome;
}

const NOT_FOUND = '{"message":"Not found"}';
const NO_MODEL = '{"message":"No query results for model [App\\\\Models\\\\Partner] 1"}';

/** A back end with this list of partners that answers 404 with `gone` for the first one, and has the second if it is listed. */
function lacking(gone: string, list: string) {
  const { single } = partners.endpoints;
  return saying((path) => {
    if (path === `${single}/1`) return said(404, gone);
    if (path === `${single}/2`) return list.includes('2') ? said(200, '{"id":2}') : said(404, gone);
    return said(200, list);
  }).reader;
}

test.each([
  ['names its model, and the list lacks it', NO_MODEL, '[]'],
  ['says so in its own words, and the list lacks it but has another that is there', NOT_FOUND, '[{"id":2}]'],
])('treats a record as gone if the back end %s', async (_what, gone, list) => {
  expect(await lacking(gone, list).record(partners, 1)).toBeUndefined();
});

test.each([
  ['is still in the list', NO_MODEL, '[{"id":1}]'],
  ['cannot be told from an address that is not there', NOT_FOUND, '[]'],
])('does not treat a record as gone that %s', async (_what, gone, list) => {
  expect((await refused(lacking(gone, list).record(partners, 1))).body.code).toBe('back-end-away');
});

test('does not treat a record as gone if no record is found, nor a list', async () => {
  const none = saying((path) =>
    path.includes('/1') || path.includes('/2') ? said(404, NOT_FOUND) : said(200, '[{"id":2}]'),
  );
  const nothing = saying(said(404, NOT_FOUND));
  for (const { reader } of [none, nothing])
    expect((await refused(reader.record(partners, 1))).body.code).toBe('back-end-away');
});

test('reports that an intermediary refuses a record if it answers a page with 403', async () => {
  const refusal = await refused(saying(said(403, '<html>Forbidden</html>', HTML_TYPE)).reader.record(partners, 1));
  expect([refusal.status, refusal.body.code]).toEqual([403, 'back-end-guarded']);
  expect(refusal.body.message).toBe('Something in front of the back end refused it (403).');
});

test.each([200, 301, 404, 410, 500, 502])(
  'treats a page with %i in place of a record as a back end that does not answer',
  async (status) => {
    const { reader } = saying(said(status, '<html></html>', HTML_TYPE));
    const refusal = await refused(reader.record(partners, 1));
    expect([refusal.status, refusal.body.code, refusal.headers['Retry-After']]).toEqual([503, 'back-end-away', '5']);
    expect(refusal.body.message).toContain('isn’t responding correctly');
  },
);

test('distinguishes a back end that cannot be reached from one that does not answer', async () => {
  const messageAfter = async (error: Error) => (await refused(saying(error).reader.record(partners, 1))).body.message;
  expect(await messageAfter(new NotSentError())).toContain('cannot be reached');
  expect(await messageAfter(new NoAnswerError())).toContain('isn’t responding correctly');
});

test.each(['[{"id":1}]', '{"data":[{"id":1}]}'])('reads the list %s', async (list) => {
  expect(await saying(said(200, list)).reader.rows(partners)).toMatchObject([{ id: 1 }]);
});

test.each(['{}', '{"message":"Welcome"}', '{"data":{}}', '{"data":null}', '{"id":1,"data":[]}'])(
  'refuses %s in place of a list instead of reading it as empty',
  async (list) => {
    expect((await refused(saying(said(200, list)).reader.rows(partners))).body.code).toBe('back-end-away');
  },
);

test.each([
  ['its address answers 404', said(404, '', 'text/plain')],
  ['its address answers 410', said(410, '', 'text/plain')],
  ['its address leads elsewhere', said(302, '', HTML_TYPE, { location: 'https://files.example.com/a.png' })],
  ['it is not for this session', said(403, '{"message":"Forbidden"}')],
  ['an empty answer is in its place', said(200, '', 'image/png')],
  ['a page is in its place', said(200, '<html>Welcome</html>', HTML_TYPE)],
  ['a message is in its place', said(200, '{"message":"Unauthenticated."}')],
])('takes the bytes of a stored file for unreadable, and never for others, when %s', async (_what, answer) => {
  expect(await saying(answer).reader.sha256('a.png')).toBeUndefined();
});

test.each([408, 425, 429, 500, 502, 503])('concludes nothing about a stored file from a %i', async (status) => {
  const refusal = await refused(saying(said(status, '{"message":"Later"}')).reader.sha256('a.png'));
  expect(refusal.status).toBe(status);
});

test('concludes nothing about a stored file from a picture with a 500', async () => {
  expect((await refused(saying(said(500, 'picture', 'image/png')).reader.sha256('a.png'))).status).toBe(503);
});

test('identifies a stored file by its hash', async () => {
  const { asked, reader } = saying(said(200, 'picture', 'image/png'));
  expect(await reader.sha256('a.png')).toBe(createHash('sha256').update('picture').digest('hex'));
  expect(asked.map(({ method, path }) => `${method} ${path}`)).toEqual(['GET /uploads/a.png']);
});

test.each(['application/json', 'application/problem+json', 'Application/JSON; charset=utf-8'])(
  'reads %s as JSON',
  (type) => expect(jsonIn(said(422, '{"message":"No"}', type))).toEqual({ message: 'No' }),
);

test.each([
  ['text/html', '{"message":"No"}'],
  ['application/jsonp', '{"message":"No"}'],
  ['application/json', '{"message":'],
])('does not read %s as JSON: %s', (type, body) => expect(jsonIn(said(422, body, type))).toBeUndefined());

test('passes on an error of the back end unchanged, with its retry time and cookies', () => {
  const rates = { 'x-ratelimit-limit': '5', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1795170000' };
  const limits = { 'retry-after': '30', ...rates };
  const headers = { ...limits, 'x-powered-by': 'PHP' };
  const answer = { ...said(429, '{"message":"Slow down"}', JSON_TYPE, headers), cookies: ['a=1'] };
  expect(asRefusal(answer)).toMatchObject({ status: 429, body: { message: 'Slow down' }, cookies: ['a=1'] });
  expect(asRefusal(answer).headers).toEqual(limits);
});

test('sends a sign-in with the client’s address and without a token', async () => {
  const { asked, backEnd } = saying(said(200, '{}'));
  await backEnd.signIn({ token: '', cookie: 'a=1', antiForgery: 'proof' }, new Map([['email', 'a@b.c']]), '10.0.0.7');
  const [request] = asked;
  expect(request?.headers).toEqual({
    accept: 'application/json',
    'x-requested-with': 'XMLHttpRequest',
    'content-type': 'application/json',
    'x-forwarded-for': '10.0.0.7',
    cookie: 'a=1',
    'x-xsrf-token': 'proof',
  });
});

test('renews the anti-forgery session from the cookies of a plain answer, without the earlier ones', async () => {
  const cookies = ['XSRF-TOKEN=new%3D; path=/', 'laravel_session=abc; httponly'];
  const { asked, backEnd } = saying({ ...said(200, '{"id":1}'), cookies });
  const renewed = await backEnd.renewed({ token: 'secret', cookie: 'laravel_session=old', antiForgery: 'old' });
  expect(renewed).toEqual({ token: 'secret', cookie: 'XSRF-TOKEN=new%3D; laravel_session=abc', antiForgery: 'new=' });
  expect(asked[0]?.headers).not.toHaveProperty('cookie');
});

test('waits for the configured time for the answer to a change, with or without a form', async () => {
  const { asked, backEnd } = saying(said(200, '{}'));
  await backEnd.post(SENDER, '/api/create-partner', { texts: [['name', 'Acme']], files: [] });
  await backEnd.post(SENDER, '/api/delete-partner/1', undefined);
  expect(asked.map(({ patience }) => patience)).toEqual([60_000, 60_000]);
});
