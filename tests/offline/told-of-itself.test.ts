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

/** Asks a server what it is, which told it an hour ago where `known`. */
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
  ['of which nothing is known', undefined],
  ['that was this repository’s an hour ago', KEYED],
] as const)('a server %s', (_what, known) => {
  test.each<[string, Answers, Capabilities | string]>([
    ['tells what it can', { [WHAT]: itself }, TOLD],
    ['tells of a server that nobody knows', { [WHAT]: json(200, { server: 'other' }) }, CONTRACT_ONLY],
    ['knows no such path', { [WHAT]: json(404, {}) }, CONTRACT_ONLY],
    ['answers nothing', { [WHAT]: cut }, 'unreachable'],
    ['sends elsewhere', { [WHAT]: page(302) }, 'unreachable'],
    ['is broken', { [WHAT]: json(500, { message: 'Broken.' }) }, 'unreachable'],
    ['is behind a gateway that gets no answer', { [WHAT]: page(502) }, 'unreachable'],
    ['says to wait', { [WHAT]: json(429, { message: 'Later.' }) }, 'busy'],
    [
      'answers with nothing in it',
      { [WHAT]: () => new Response('', { headers: { 'content-type': 'application/json' } }) },
      'unreachable',
    ],
  ])('%s: one question is enough', async (_how, answers, expected) => {
    const { kind, asked } = await reached(answers, known);
    expect([kind, asked]).toEqual([expected, [WHAT]]);
  });
});

describe('a refusal, or a page, where a server is asked what it is', () => {
  test.each<[string, Answers, Capabilities | undefined, Capabilities | string, number]>([
    ['a refusal says nothing new of one that is known', { [WHAT]: no }, KEYED, KEYED, 1],
    ['a page is a portal’s where the server is known', { [WHAT]: page(404), [WHO]: me }, KEYED, 'unreachable', 1],
    ['a refusal that comes twice is a stock back end’s', { [WHAT]: no, [WHO]: me }, undefined, CONTRACT_ONLY, 3],
    ['a page that comes twice too', { [WHAT]: page(404), [WHO]: me }, undefined, CONTRACT_ONLY, 3],
    ['also of one that was such before', { [WHAT]: page(404), [WHO]: me }, CONTRACT_ONLY, CONTRACT_ONLY, 3],
    [
      'the user’s path that is broken is the server’s answer',
      { [WHAT]: no, [WHO]: json(500, {}) },
      undefined,
      CONTRACT_ONLY,
      3,
    ],
    ['once only, it was a portal’s', { [WHAT]: [page(), itself], [WHO]: me }, undefined, TOLD, 3],
    ['and then nothing: nobody knows', { [WHAT]: [page(), cut], [WHO]: me }, undefined, 'unreachable', 3],
    ['nobody is signed in', { [WHAT]: no, [WHO]: json(401, {}) }, undefined, 'signed-out', 2],
    ['a page for the user too is a portal’s', { [WHAT]: page(), [WHO]: page() }, undefined, 'unreachable', 2],
    ['nothing for the user', { [WHAT]: page(404), [WHO]: cut }, undefined, 'unreachable', 2],
  ])('%s', async (_how, answers, known, expected, questions) => {
    const { kind, asked } = await reached(answers, known);
    expect([kind, asked]).toEqual([expected, [WHAT, WHO, WHAT].slice(0, questions)]);
  });
});

describe('a server is there', () => {
  test.each<[string, () => Response, boolean]>([
    ['answers', me, true],
    ['answers that it is broken', json(500, {}), true],
    ['answers through a gateway only', json(504, {}), false],
    ['is covered by a page', page(403), false],
    ['answers nothing', cut, false],
  ])('where it %s', async (_how, answer, isThere) => {
    for (const [server, path] of [
      [KEYED, '/healthz'],
      [CONTRACT_ONLY, '/api/user'],
    ] as const) {
      const { sender, asked } = await senderAtWork(server, { [`GET ${path}`]: answer });
      expect([await isServerThere(sender), asked]).toEqual([isThere, [`GET ${path}`]]);
    }
  });
});
