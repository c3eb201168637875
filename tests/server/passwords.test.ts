import { expect, test } from 'vitest';
import { Refusal } from '../../server/refusal.ts';
import { argon2id } from '../../server/security/hashing-threads.ts';
import { passwordHashing } from '../../server/security/passwords.ts';

const SLOW = { memory: 32_768, passes: 2, parallelism: 1 };

test('makes a few hashes at once, keeps a short queue, and tells the others to come again', async () => {
  const { hash, verify } = passwordHashing(SLOW);
  const stored = await hash('three brown horses');
  const outcomes = await Promise.allSettled(
    Array.from({ length: 60 }, (_, n) => verify('three brown horses', n % 2 === 0 ? stored : undefined)),
  );
  const refused = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []));
  expect(refused.length).toBeGreaterThanOrEqual(60 - 20 - 2);
  for (const reason of refused) expect(reason).toMatchObject({ status: 429 } satisfies Partial<Refusal>);
  const answered = outcomes.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  expect(answered.length).toBeGreaterThanOrEqual(20);
  expect(await verify('three brown horses', stored)).toBe(true);
});

test('lets those go first who are known', async () => {
  const { hash, verify } = passwordHashing(SLOW);
  const stored = await hash('three brown horses');
  const order: string[] = [];
  const look = (who: string, goesFirst: boolean) =>
    verify('three brown horses', stored, goesFirst).then(() => order.push(who));
  await Promise.all([...Array.from({ length: 20 }, () => look('stranger', false)), look('known', true)]);
  expect(order.indexOf('known')).toBeLessThan(10);
});

test('hashes on after a thread has died', async () => {
  const never = { message: 'x', nonce: Buffer.alloc(1), memory: 1, passes: 0, parallelism: 0, tagLength: 1 };
  for (let thread = 0; thread < 2; thread += 1) await expect(argon2id(never, true)).rejects.toThrow();
  const { hash, verify } = passwordHashing(SLOW);
  const stored = await Promise.all([hash('three brown horses'), hash('four grey donkeys')]);
  expect(await verify('three brown horses', stored[0])).toBe(true);
});
