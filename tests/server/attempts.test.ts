import { randomBytes } from 'node:crypto';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { countAttempts } from '../../server/shared/attempts.ts';

/** Counting by a clock that the test moves. */
function counting() {
  let at = 0;
  return { attempts: countAttempts(() => at), pass: (milliseconds: number) => (at += milliseconds) };
}

test('counts a try under every key, or under none when one of them has had too many', async () => {
  const { attempts } = counting();
  const address = { key: 'address', most: 2 };
  expect(await attempts.take([address, { key: 'one', most: 1 }])).toBeUndefined();
  expect(await attempts.take([address, { key: 'one', most: 1 }])).toBe(60);
  expect(await attempts.take([address, { key: 'two', most: 1 }])).toBeUndefined();
  expect(await attempts.take([address, { key: 'three', most: 1 }])).toBe(60);
  expect(await attempts.take([{ key: 'three', most: 1 }])).toBeUndefined();
});

test('tells the longest of the times to wait, and frees each key in its own', async () => {
  const { attempts, pass } = counting();
  const [one, other] = [
    { key: 'one', most: 1 },
    { key: 'other', most: 1 },
  ] as const;
  await attempts.take([one]);
  pass(20_000);
  await attempts.take([other]);
  pass(10_000);
  expect(await attempts.take([one, other])).toBe(50);
  pass(30_000);
  expect(await attempts.take([one])).toBeUndefined();
  expect(await attempts.take([other])).toBe(20);
});

test('waits for the oldest of several tries alone, and gives the newest back', async () => {
  const { attempts, pass } = counting();
  const limits = [{ key: 'one', most: 3 }];
  for (let tries = 0; tries < 3; tries += 1) {
    await attempts.take(limits);
    pass(10_000);
  }
  expect(await attempts.take(limits)).toBe(30);
  await attempts.refund(limits);
  pass(29_999);
  expect(await attempts.take(limits)).toBeUndefined();
  expect(await attempts.take(limits)).toBe(1);
  pass(1);
  expect(await attempts.take(limits)).toBeUndefined();
  expect(await attempts.take(limits)).toBe(10);
});

test('forgets the oldest keys when there are too many, and never all of them', async () => {
  const { attempts } = counting();
  await attempts.take([{ key: 'first', most: 1 }]);
  for (let n = 0; n < 60_000; n += 1) await attempts.take([{ key: `key ${n}`, most: 1 }]);
  expect(await attempts.take([{ key: 'first', most: 1 }])).toBeUndefined();
  for (let n = 20_000; n < 60_000; n += 1) expect(await attempts.take([{ key: `key ${n}`, most: 1 }])).toBe(60);
});

test('remembers a key that is tried again longer than one that is not', async () => {
  const { attempts } = counting();
  const often = { key: 'often', most: 5 };
  for (let n = 0; n < 120_000; n += 1) {
    if (n % 30_000 === 0) await attempts.take([often]);
    await attempts.take([{ key: `key ${n}`, most: 1 }]);
  }
  expect(await attempts.take([often])).toBeUndefined();
  expect(await attempts.take([often])).toBe(60);
});

test('keeps little of long texts that come as accounts', async () => {
  const { attempts } = counting();
  const before = bytesInUse();
  for (let n = 0; n < 1000; n += 1)
    await attempts.take([{ key: `${n} ${randomBytes(30_000).toString('hex')}`, most: 5 }]);
  expect(bytesInUse() - before).toBeLessThan(10_000_000);
  expect(await attempts.take([{ key: 'another', most: 5 }])).toBeUndefined();
});

/** What is still in use after everything else was let go. */
function bytesInUse(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  return process.memoryUsage().heapUsed;
}
