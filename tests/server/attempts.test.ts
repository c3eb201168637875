import { randomBytes } from 'node:crypto';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { countAttempts } from '../../server/shared/attempts.ts';

/** An attempt counter with a clock that the test moves. */
function counting() {
  let at = 0;
  return { attempts: countAttempts(() => at), pass: (milliseconds: number) => (at += milliseconds) };
}

test('counts an attempt under every key, or under none when one of them is over its limit', async () => {
  const { attempts } = counting();
  const address = { key: 'address', most: 2 };
  expect(await attempts.take([address, { key: 'one', most: 1 }])).toBeUndefined();
  expect(await attempts.take([address, { key: 'one', most: 1 }])).toBe(60);
  expect(await attempts.take([address, { key: 'two', most: 1 }])).toBeUndefined();
  expect(await attempts.take([address, { key: 'three', most: 1 }])).toBe(60);
  expect(await attempts.take([{ key: 'three', most: 1 }])).toBeUndefined();
});

test('returns the longest wait of all keys, and frees each key after its own wait', async () => {
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

test('lets nobody wait longer than a minute when the clock is set back', async () => {
  const { attempts, pass } = counting();
  const limits = [{ key: 'one', most: 1 }];
  await attempts.take(limits);
  pass(-24 * 60 * 60_000);
  expect(await attempts.take(limits)).toBe(60);
  pass(59_999);
  expect(await attempts.take(limits)).toBe(1);
  pass(1);
  expect(await attempts.take(limits)).toBeUndefined();
});

test('waits only for the oldest of several attempts, and refunds the newest', async () => {
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

test('forgets the oldest keys when there are too many, but never all of them', async () => {
  const { attempts } = counting();
  await attempts.take([{ key: 'first', most: 1 }]);
  for (let n = 0; n < 60_000; n += 1) await attempts.take([{ key: `key ${n}`, most: 1 }]);
  expect(await attempts.take([{ key: 'first', most: 1 }])).toBeUndefined();
  for (let n = 20_000; n < 60_000; n += 1) expect(await attempts.take([{ key: `key ${n}`, most: 1 }])).toBe(60);
});

test('remembers a reused key longer than one that is not', async () => {
  const { attempts } = counting();
  const often = { key: 'often', most: 5 };
  for (let n = 0; n < 120_000; n += 1) {
    if (n % 30_000 === 0) await attempts.take([often]);
    await attempts.take([{ key: `key ${n}`, most: 1 }]);
  }
  expect(await attempts.take([often])).toBeUndefined();
  expect(await attempts.take([often])).toBe(60);
});

test('stores little of an overlong account name', async () => {
  const { attempts } = counting();
  const before = bytesInUse();
  for (let n = 0; n < 1000; n += 1)
    await attempts.take([{ key: `${n} ${randomBytes(30_000).toString('hex')}`, most: 5 }]);
  expect(bytesInUse() - before).toBeLessThan(10_000_000);
  expect(await attempts.take([{ key: 'another', most: 5 }])).toBeUndefined();
});

/** The bytes in use after garbage collection. */
function bytesInUse(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  return process.memoryUsage().heapUsed;
}
