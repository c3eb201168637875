import { describe, expect, test } from 'vitest';
import { type Capabilities, CONTRACT_ONLY } from '../../src/domain/protocol/capabilities.ts';
import { isServerThere, reachServer } from '../../src/offline/sender/server-kind.ts';
import { readMeta, writeMeta } from '../../src/offline/storage/meta.ts';
import { type Answers, KEYED, senderAtWork } from './support/at-work.ts';
import { cut, json, page } from './support/offline-world.ts';

const WHAT = 'GET /api/capabilities';
const WHO = 'GET /api/user';
const HOUR = 60 * 60_000;
const no = json(403, { message: 'No.' });
const me = json(200, { id: 1 });
const itself = json(200, { server: 'voltdesk', idempotencyKeys: true, limits: { maxFileBytes: 5 } });
const TOLD: Capabilities = {
  ...CONTRACT_ONLY,
  server: 'voltdesk',
  idempotencyKeys: true,
  limits: { ...CONTRACT_ONLY.limits, maxFileBytes: 5 },
};

/** Asks a server for its capabilities, which were `known` an hour ago. */
async function reached(answers: Answers, known: Capabilities | undefined) {
  const { environment, asked } = await senderAtWork(KEYED, answers);
  const { outbox, now } = environment;
  const before = known && { at: now() - HOUR, told: known };
  await writeMeta(outbox, 'capabilities', before);
  const answer = await reachServer(environment, undefined, 'token');
  const noted = await readMeta(outbox, 'capabilities');
  if ('server' in answer) expect(noted).toEqual({ at: now(), told: answer.server });
  else expect(noted).toEqual(before);
  return { kind: 'server' in answer ? answer.server : answer.fault.kind, asked };
}

describe.each([
  ['about which nothing is known', undefined],
  ['that was this repository’s an hour ago', KEYED],
] as const)('a server %s', (_what, known) => {
  test.each<[string, Answers, Capabilities | string]>([
    ['reports its capabilities', { [WHAT]: itself }, TOLD],
    ['reports an unknown kind', { [WHAT]: json(200, { server: 'other' }) }, CONTRACT_ONLY],
    ['does not know the path', { [WHAT]: json(404, {}) }, CONTRACT_ONLY],
    ['gives no answer', { [WHAT]: cut }, 'unreachable'],
    ['redirects', { [WHAT]: page(302) }, 'unreachable'],
    ['is broken', { [WHAT]: json(500, { message: 'Broken.' }) }, 'unreachable'],
    ['is behind a gateway that gets no answer', { [WHAT]: page(502) }, 'unreachable'],
    ['asks to wait', { [WHAT]: json(429, { message: 'Later.' }) }, 'busy'],
    [
      'gives an empty answer',
      { [WHAT]: () => new Response('', { headers: { 'content-type': 'application/json' } }) },
      'unreachable',
    ],
  ])('%s: one request is enough', async (_how, answers, expected) => {
    const { kind, asked } = await reached(answers, known);
    expect([kind, asked]).toEqual([expected, [WHAT]]);
  });
});

describe('a refusal or a page in place of the capabilities', () => {
  test.each<[string, Answers, Capabilities | undefined, Capabilities | string, number]>([
    ['leaves a known server unchanged when it is a refusal', { [WHAT]: no }, KEYED, KEYED, 1],
    ['comes from a portal when the server is known', { [WHAT]: page(404), [WHO]: me }, KEYED, 'unreachable', 1],
    [
      'comes from a stock back end when it is a refusal that repeats',
      { [WHAT]: no, [WHO]: me },
      undefined,
      CONTRACT_ONLY,
      3,
    ],
    [
      'comes from a stock back end when it is a page that repeats',
      { [WHAT]: page(404), [WHO]: me },
      undefined,
      CONTRACT_ONLY,
      3,
    ],
    [
      'comes from a known stock back end when it repeats',
      { [WHAT]: page(404), [WHO]: me },
      CONTRACT_ONLY,
      CONTRACT_ONLY,
      3,
    ],
    [
      'comes from the server when the user’s path fails',
      { [WHAT]: no, [WHO]: json(500, {}) },
      undefined,
      CONTRACT_ONLY,
      3,
    ],
    ['comes from a portal when it does not repeat', { [WHAT]: [page(), itself], [WHO]: me }, undefined, TOLD, 3],
    [
      'leaves the server unknown when nothing follows it',
      { [WHAT]: [page(), cut], [WHO]: me },
      undefined,
      'unreachable',
      3,
    ],
    ['reports a missing sign-in', { [WHAT]: no, [WHO]: json(401, {}) }, undefined, 'signed-out', 2],
    [
      'comes from a portal when the user’s path gets a page too',
      { [WHAT]: page(), [WHO]: page() },
      undefined,
      'unreachable',
      2,
    ],
    [
      'leaves the server unknown without an answer for the user',
      { [WHAT]: page(404), [WHO]: cut },
      undefined,
      'unreachable',
      2,
    ],
  ])('%s', async (_how, answers, known, expected, questions) => {
    const { kind, asked } = await reached(answers, known);
    expect([kind, asked]).toEqual([expected, [WHAT, WHO, WHAT].slice(0, questions)]);
  });
});

describe('a server', () => {
  test.each<[string, () => Response, boolean]>([
    ['is reached when it answers', me, true],
    ['is reached when it reports an error', json(500, {}), true],
    ['is not reached when a gateway answers', json(504, {}), false],
    ['is not reached when a page covers it', page(403), false],
    ['is not reached without an answer', cut, false],
  ])('%s', async (_how, answer, isThere) => {
    for (const [server, path] of [
      [KEYED, '/healthz'],
      [CONTRACT_ONLY, '/api/user'],
    ] as const) {
      const { sender, asked } = await senderAtWork(server, { [`GET ${path}`]: answer });
      expect([await isServerThere(sender), asked]).toEqual([isThere, [`GET ${path}`]]);
    }
  });
});
