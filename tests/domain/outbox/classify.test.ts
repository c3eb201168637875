import { describe, expect, test } from 'vitest';
import { pauseAfter } from '../../../src/domain/outbox/pause.ts';
import { type Answer, classify, isProxyRefusal, proxyRefused } from '../../../src/domain/outbox/classify.ts';
import type { Operation } from '../../../src/domain/outbox/vocabulary.ts';

function answer(status: number, body: unknown = { message: 'Told.' }, more: Partial<Answer> = {}): Answer {
  return { status, redirected: false, json: true, body, ...more };
}

const html = (status: number) => answer(status, undefined, { json: false });

describe('a network’s own sign-in page', () => {
  test.each([
    ['a page with status 200', html(200), true],
    ['a redirect', answer(0, undefined, { redirected: true, json: false }), true],
    ['a page with status 403', html(403), undefined],
  ])('%s', (_name, given, portal) => {
    const outcome = classify('update', given);
    expect(outcome).toMatchObject({ kind: 'unreachable' });
    expect('portal' in outcome ? outcome.portal : undefined).toBe(portal);
    expect(pauseAfter(undefined, outcome, 0, 0.5)?.portal).toBe(portal);
  });
});

describe('a page instead of an answer', () => {
  test.each([400, 403, 404, 413, 415])('may refuse just this request with status %i', (status) => {
    expect(isProxyRefusal(html(status))).toBe(true);
  });

  test.each([
    ['with status 200', html(200)],
    ['reached by a redirect', answer(403, undefined, { json: false, redirected: true })],
    ['with a time-out', html(408)],
    ['that says to wait', html(429)],
    ['with a server error', html(502)],
    ['that is really the server’s own refusal', answer(403)],
  ])('is not a proxy’s refusal: %s', (_name, given) => {
    expect(isProxyRefusal(given)).toBe(false);
  });

  test('is explained in plain words', () => {
    expect(proxyRefused(413)).toMatchObject({ code: 'too-large', status: 413 });
    expect(proxyRefused(403)).toMatchObject({ code: 'blocked', status: 403 });
  });
});

describe('what an answer means for an edit', () => {
  test.each([
    ['a success in JSON', answer(200), 'done'],
    ['a success whose body was cut or empty', answer(200, {}, { body: undefined }), 'uncertain'],
    ['a page with status 200', html(200), 'unreachable'],
    ['a redirect', answer(0, undefined, { redirected: true, json: false }), 'unreachable'],
    ['a page with status 401', html(401), 'unreachable'],
    ['a page with status 404', html(404), 'unreachable'],
    ['no answer', undefined, 'uncertain'],
    ['400', answer(400), 'refused'],
    ['401', answer(401), 'signed-out'],
    ['403', answer(403), 'refused'],
    ['403 until a second factor is set up', answer(403, { message: '', code: 'owed-first' }), 'signed-out'],
    ['403 for a role that was lost', answer(403, { message: '', code: 'role-too-low' }), 'refused'],
    ['404', answer(404), 'refused'],
    ['408', answer(408), 'uncertain'],
    ['409 with another code', answer(409), 'refused'],
    ['409 in flight', answer(409, { message: '', code: 'in-flight' }), 'busy'],
    ['412', answer(412), 'conflict'],
    ['413', answer(413, { message: '' }), 'refused'],
    ['415', answer(415), 'refused'],
    ['419', answer(419), 'busy'],
    ['422', answer(422), 'refused'],
    ['425', answer(425), 'busy'],
    ['429', answer(429), 'busy'],
    ['a page with status 429', html(429), 'busy'],
    ['500', answer(500), 'uncertain'],
    ['a page with status 502', html(502), 'uncertain'],
    ['a page with status 425', html(425), 'busy'],
    ['503', answer(503), 'busy'],
    ['a page with status 503', html(503), 'busy'],
    ['511, a network that asks for a sign-in', answer(511, undefined, { json: false }), 'unreachable'],
  ] as const)('%s', (_name, given, kind) => {
    expect(classify('update', given).kind).toBe(kind);
  });
});

test.each<[Operation, string]>([
  ['delete', 'done'],
  ['delete-image', 'done'],
  ['update', 'refused'],
  ['create', 'refused'],
])('an answer 404 makes a %s %s', (op, kind) => {
  expect(classify(op, answer(404)).kind).toBe(kind);
});

test('keeps the id and the version of a success, the version as text', () => {
  expect(classify('create', answer(200, { message: 'Made.', id: 12, version: 3 }))).toEqual({
    kind: 'done',
    message: 'Made.',
    serverId: 12,
    version: '3',
  });
});

test('a refusal carries the server’s errors by field', () => {
  const errors = { brand: ['The brand field is required.'] };
  expect(classify('update', answer(422, { message: 'Invalid.', errors }))).toEqual({
    kind: 'refused',
    reason: { code: 'refused', status: 422, message: 'Invalid.', errors },
  });
});

test('a refusal without a message gets one of the app’s own', () => {
  expect(classify('create', answer(413, { message: '' }))).toMatchObject({
    reason: { code: 'too-large', message: 'The files are too large for the server.' },
  });
});

test('message texts are never interpreted', () => {
  expect(classify('update', answer(500, { message: '401 Unauthenticated' })).kind).toBe('uncertain');
  expect(classify('update', answer(200, { message: 'Server Error' })).kind).toBe('done');
});

test('only a refused cookie rules out that a repeated request was carried out the first time', () => {
  const mayBeDone = (status: number, code = '') => {
    const outcome = classify('update', answer(status, { message: '', code }));
    return outcome.kind === 'busy' && outcome.mayBeDone;
  };
  expect([419, 425, 429].map((status) => mayBeDone(status))).toEqual([false, true, true]);
  expect([mayBeDone(503), mayBeDone(409, 'in-flight')]).toEqual([true, true]);
});

test('the whole queue waits for a busy server, only the entry for a busy key', () => {
  expect(classify('update', answer(429, {}, { retryAfter: 7_000 }))).toMatchObject({
    scope: 'queue',
    retryAfter: 7_000,
  });
  expect(classify('update', answer(409, { code: 'in-flight' }))).toMatchObject({ scope: 'entry' });
});

describe('the outcome of an answer', () => {
  const waits = { kind: 'busy', scope: 'queue', mayBeDone: true };
  test.each<[string, Answer | undefined, object]>([
    ['a success without a message', answer(200, {}), { kind: 'done', message: 'Done.' }],
    ['a success that is not an object', answer(200, null), { kind: 'done', message: 'Done.' }],
    [
      'a success whose version is a string',
      answer(201, { message: 'Made.', version: 'a1' }),
      { kind: 'done', message: 'Made.', version: 'a1' },
    ],
    [
      'a success that lists duplicates',
      answer(200, { message: 'Made.', duplicates: [8, 9] }),
      { kind: 'done', message: 'Made.', duplicates: [8, 9] },
    ],
    [
      'a success with malformed facts',
      answer(200, { message: 7, id: '12', version: {}, duplicates: [8, 'nine'] }),
      { kind: 'done', message: 'Done.' },
    ],
    [
      'a success without duplicates',
      answer(200, { message: 'Made.', duplicates: [] }),
      { kind: 'done', message: 'Made.' },
    ],
    ['no answer', undefined, { kind: 'uncertain', message: 'No answer came.' }],
    ['a missing sign-in', answer(401, {}), { kind: 'signed-out', message: '' }],
    [
      'a role that was lost',
      answer(403, { message: 'Editors only.', code: 'role-too-low' }),
      { kind: 'refused', reason: { code: 'role-too-low', status: 403, message: 'Editors only.' } },
    ],
    ['another 403', answer(403), { kind: 'refused', reason: { code: 'refused', status: 403, message: 'Told.' } }],
    [
      'an unexpected status',
      answer(300),
      { kind: 'refused', reason: { code: 'refused', status: 300, message: 'Told.' } },
    ],
    ['a time-out', html(408), { kind: 'uncertain', status: 408, message: 'Told.' }],
    [
      'a server error without a message',
      answer(500, {}),
      { kind: 'uncertain', status: 500, message: 'The server failed.' },
    ],
    ['a server error', answer(500), { kind: 'uncertain', status: 500, message: 'Told.' }],
    ['a conflict', answer(412), { kind: 'conflict', message: 'Told.' }],
    ['a busy server', answer(429, { message: '' }), { ...waits, message: 'The server is busy.' }],
    ['a busy server with a message', answer(429, { message: 'Slow down.' }), { ...waits, message: 'Slow down.' }],
    ['a busy server with an HTML page', html(503), { ...waits, foreign: true, message: 'The server is busy.' }],
    [
      'a record that is gone',
      answer(404, {}),
      { kind: 'refused', reason: { code: 'gone', status: 404, message: 'The record is no longer on the server.' } },
    ],
    [
      'a 409 with another code',
      answer(409),
      { kind: 'refused', reason: { code: 'refused', status: 409, message: 'Told.' } },
    ],
    [
      'a refusal without a message',
      answer(403, {}),
      { kind: 'refused', reason: { code: 'refused', status: 403, message: 'The server refused it.' } },
    ],
    [
      'a refusal with malformed errors',
      answer(422, { message: 'Invalid.', errors: { brand: ['Missing.'], name: 'Missing.' } }),
      { kind: 'refused', reason: { code: 'refused', status: 422, message: 'Invalid.' } },
    ],
    [
      'a refusal without errors',
      answer(422, { message: 'Invalid.', errors: null }),
      { kind: 'refused', reason: { code: 'refused', status: 422, message: 'Invalid.' } },
    ],
    [
      'a key that was used for another payload',
      answer(422, { message: 'Known.', code: 'idempotency-key-reused' }),
      { kind: 'refused', reason: { code: 'refused', status: 422, message: 'Known.' }, keyKnown: true },
    ],
    [
      'a malformed code',
      answer(422, { message: 'Known.', code: ['idempotency-key-reused'] }),
      { kind: 'refused', reason: { code: 'refused', status: 422, message: 'Known.' } },
    ],
  ])('is complete for %s', (_, given, outcome) => {
    expect(classify('update', given)).toEqual(outcome);
  });

  test('is a success for a delete of a record that is already gone', () => {
    expect(classify('delete', answer(404))).toEqual({
      kind: 'done',
      message: 'It had already been deleted.',
      gone: true,
    });
  });

  test('is no proxy’s refusal without an answer or with a server error', () => {
    expect([isProxyRefusal(undefined), isProxyRefusal(html(500)), isProxyRefusal(html(399))]).toEqual([
      false,
      false,
      false,
    ]);
  });

  test('explains a proxy’s refusal in words', () => {
    const between = 'A proxy or firewall between this device and the server';
    expect(proxyRefused(413).message).toBe(`${between} doesn’t accept a request this large.`);
    expect(proxyRefused(403).message).toBe(`${between} has blocked this change (403).`);
  });
});
