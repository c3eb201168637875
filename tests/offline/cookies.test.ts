import { describe, expect, test } from 'vitest';
import { CONTRACT_ONLY } from '../../src/domain/protocol/capabilities.ts';
import { cookieAfter, renewCookie, seesNoCookie, writeGuarded } from '../../src/offline/sender/anti-forgery.ts';
import type { Environment } from '../../src/offline/storage/environment.ts';
import { type Answers, KEYED, senderAtWork } from './support/at-work.ts';
import { cut, json, page } from './support/offline-world.ts';

const RENEWAL = 'GET /api/user';
const me = json(200, { id: 1 });

/** A page, or a worker, that reads these cookies one after the other, and then the last one again. */
async function seeing(
  cookies: readonly (string | undefined)[],
  answers: Answers = { [RENEWAL]: me },
  isWorker = false,
) {
  const left = [...cookies];
  const cookie = async () => (left.length > 1 ? left.shift() : left[0]);
  const parts: Partial<Environment> = isWorker ? { cookie, handOver: () => {} } : { cookie };
  return senderAtWork(KEYED, answers, parts);
}

/** What a write sends when it gets these answers. */
async function written(
  { environment }: Awaited<ReturnType<typeof seeing>>,
  statuses: readonly number[],
  { ahead, during = () => {} }: { ahead?: string; during?: () => void } = {},
) {
  const headers: unknown[] = [];
  const answer = await writeGuarded(environment, 'token', ahead, async (guard, cookie) => {
    headers.push([guard['X-XSRF-TOKEN'], cookie]);
    during();
    const status = statuses[headers.length - 1];
    return status === undefined ? undefined : { status };
  });
  return { headers, status: answer?.status };
}

describe('a write', () => {
  test('sends the cookie at hand, decoded, or the one that was read ahead', async () => {
    const device = await seeing(['a%3D']);
    expect(await written(device, [200])).toEqual({ headers: [['a=', 'a%3D']], status: 200 });
    expect(await written(device, [200], { ahead: 'b%2F' })).toEqual({ headers: [['b/', 'b%2F']], status: 200 });
    expect(await written(await seeing(['50%']), [200])).toMatchObject({ headers: [['50%', '50%']] });
    expect(device.asked).toEqual([]);
  });

  test('fetches a cookie when there is none', async () => {
    const device = await seeing([undefined, 'fresh']);
    expect(await written(device, [200])).toMatchObject({ headers: [['fresh', 'fresh']] });
    expect(device.asked).toEqual([RENEWAL]);
  });

  test.each<[string, () => Response, number]>([
    ['reports who is signed in', me, 1],
    ['reports that nobody is signed in', json(401, {}), 1],
    ['fails with a server error', json(500, {}), 2],
    ['is covered by a portal’s page', page(), 2],
    ['does not answer', cut, 2],
  ])(
    'goes without a cookie when the server sets none, and fetches again unless it %s',
    async (_what, answer, questions) => {
      const device = await seeing([undefined], { [RENEWAL]: answer });
      expect(await written(device, [200])).toMatchObject({ headers: [[undefined, undefined]] });
      await written(device, [200]);
      expect(device.asked).toHaveLength(questions);
    },
  );

  test('is repeated once with a new cookie when the old one has expired', async () => {
    const device = await seeing(['old', 'new']);
    expect(await written(device, [419, 200])).toEqual({
      headers: [
        ['old', 'old'],
        ['new', 'new'],
      ],
      status: 200,
    });
    expect(device.asked).toEqual([RENEWAL]);
    expect(await written(await seeing(['old', 'new']), [419, 419, 200])).toMatchObject({ status: 419 });
    for (const status of [401, 403, 500]) expect((await written(device, [status, 200])).headers).toHaveLength(1);
    expect(await written(device, [])).toMatchObject({ status: undefined });
  });

  test.each([
    [10_000, 2],
    [10_001, 1],
  ])('is repeated only soon after it started: after %i ms it was sent %i times', async (milliseconds, times) => {
    const device = await seeing(['old', 'new']);
    const during = () => {
      device.device.time += milliseconds;
    };
    expect((await written(device, [419, 200], { during })).headers).toHaveLength(times);
  });

  test('of a worker is repeated only with another cookie than the refused one', async () => {
    const same = await seeing(['old'], { [RENEWAL]: me }, true);
    expect((await written(same, [419, 200])).headers).toHaveLength(1);
    expect((await written(await seeing(['old', 'new'], { [RENEWAL]: me }, true), [419, 200])).headers).toHaveLength(2);
    expect((await written(await seeing(['old']), [419, 200])).headers).toHaveLength(2);
  });
});

test('reads the renewed cookie after asking the server', async () => {
  const order: string[] = [];
  const get = async (path: string) => order.push(path);
  const read = async (name: string) => {
    order.push(name);
    return 'fresh';
  };
  expect(await renewCookie({ get, read })).toBe('fresh');
  expect(order).toEqual(['/api/user', 'XSRF-TOKEN']);
});

describe('a worker that sees no cookie', () => {
  test.each<[string, readonly (string | undefined)[], boolean, typeof KEYED, boolean, number]>([
    ['is recognized when none arrives', [undefined], true, KEYED, true, 1],
    ['is ruled out when one arrives', [undefined, undefined, 'fresh'], true, KEYED, false, 1],
    ['is ruled out when it has one', ['here'], true, KEYED, false, 0],
    ['is ruled out for a server that may set none', [undefined], true, CONTRACT_ONLY, false, 0],
    ['is ruled out for a page', [undefined], false, KEYED, false, 0],
  ])('%s', async (_where, cookies, isWorker, server, seesNone, questions) => {
    const { environment, asked } = await seeing(cookies, { [RENEWAL]: me }, isWorker);
    expect([await seesNoCookie(environment, server, 'token'), asked.length]).toEqual([seesNone, questions]);
  });

  test('is recognized after its cookie was refused, until it sees another one', async () => {
    let now = 'old';
    const { environment } = await senderAtWork(
      KEYED,
      { [RENEWAL]: me },
      { cookie: async () => now, handOver: () => {} },
    );
    expect(await seesNoCookie(environment, CONTRACT_ONLY, 'token')).toBe(false);
    expect(await cookieAfter(environment, 'token', 'old')).toBeUndefined();
    expect(await seesNoCookie(environment, CONTRACT_ONLY, 'token')).toBe(true);
    now = 'new';
    expect(await seesNoCookie(environment, CONTRACT_ONLY, 'token')).toBe(false);
    expect(await cookieAfter(environment, 'token', 'old')).toEqual({ cookie: 'new' });
  });
});
