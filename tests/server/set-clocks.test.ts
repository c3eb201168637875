import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { backEndReadiness } from '../../server/ops/readiness.ts';
import { backupNotesIn } from '../../server/ops/last-backup.ts';
import { steadyTime } from '../../server/shared/steady-clock.ts';
import { notAhead, type Work } from '../../server/stores/remote/work.ts';
import { FEED_PATH } from '../../src/domain/protocol/feed.ts';
import { ups } from '../../src/domain/resources/ups.ts';
import { CREATE, VALUES } from './gateway-ups.ts';
import { adminOf, gatewayWorld, LONGEST_REQUEST } from './gateway-world.ts';
import { freshFolder, withKey } from './harness.ts';
import { filesFor } from './samples.ts';

const DAY = 24 * 60 * 60_000;
const NOON = Date.UTC(2026, 10, 20, 12);

/** Sets the time of day, while durations go on. */
function timeOfDay() {
  vi.useFakeTimers({ toFake: ['Date'], now: NOON });
  onTestFinished(() => void vi.useRealTimers());
  return { set: (at: number) => void vi.setSystemTime(at) };
}

test('takes a time of day that never goes back, and goes on by durations', () => {
  const clock = timeOfDay();
  const now = steadyTime(undefined);
  const began = now();
  expect(Math.abs(began - NOON)).toBeLessThan(1000);
  clock.set(NOON - DAY);
  expect(now()).toBeGreaterThanOrEqual(began);
  clock.set(NOON + DAY);
  expect(now() - began).toBeLessThan(DAY);
});

test('asks a back end again although the clock was set back', async () => {
  let at = NOON;
  let asked = 0;
  const backEnd = createServer((_request, response) => {
    asked += 1;
    response.setHeader('content-type', 'application/json').end('{}');
  });
  await new Promise<void>((resolve) => backEnd.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void backEnd.close());
  const { port } = backEnd.address() as AddressInfo;
  const ready = backEndReadiness(
    `http://127.0.0.1:${port}`,
    steadyTime(() => at),
    60_000,
  );
  await ready();
  at -= DAY;
  await ready();
  expect(asked).toBe(1);
  at += 1000;
  await ready();
  expect(asked).toBe(2);
});

test('makes a backup although the latest one is of tomorrow', async () => {
  timeOfDay();
  const notes = backupNotesIn(await freshFolder());
  await notes.note({ at: new Date(NOON + DAY).toISOString(), file: '/backups/one', damaged: 0 });
  expect(await notes.claim(6 * 60 * 60_000)).toBe(true);
});

test('asks again who somebody is after a minute although the clock was set back a day', async () => {
  let at = NOON;
  const { start, token, link } = await gatewayWorld();
  const app = await start({ now: () => at });
  const ask = () => adminOf(app, token).get(FEED_PATH);
  await ask();
  at -= DAY;
  await ask();
  at += 61_000;
  link.reads.length = 0;
  await ask();
  expect(link.reads).toContain('/api/user');
});

test('settles a request of a run before the clock was set back after the usual time', async () => {
  const { app, start, token, clock, link } = await gatewayWorld();
  link.faults.push('lost');
  await adminOf(app, token).post(CREATE, VALUES, await filesFor(ups), withKey('key-of-a-create'));
  await app.close();
  await start({ now: () => clock.now() - DAY });
  await clock.pass(LONGEST_REQUEST + 1000);
  expect(link.posts).toHaveLength(2);
});

test('counts the time of a request that lies ahead from now', () => {
  const work = { step: { at: NOON + DAY, endsBy: NOON + DAY + 60_000 } } as Work;
  expect(notAhead(work, NOON, 60_000).step).toEqual({ at: NOON, endsBy: NOON + 60_000 });
  const earlier = { step: { endsBy: NOON + DAY } } as Work;
  expect(notAhead(earlier, NOON, 60_000).step).toEqual({ endsBy: NOON + 60_000 });
  expect(notAhead(work, NOON + DAY, 60_000)).toBe(work);
});
