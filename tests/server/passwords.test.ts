import { randomBytes } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import { Refusal } from '../../server/errors/refusal.ts';
import { argon2id } from '../../server/security/hashing-threads.ts';
import { newRecoveryCodes } from '../../server/security/recovery-codes.ts';
import { PASSWORD_COST, passwordHashing } from '../../server/security/passwords.ts';

vi.mock('../../server/security/hashing-threads.ts', { spy: true });

// Test files share their modules: those that use the mocked one are loaded anew, and not kept.
vi.hoisted(() => void vi.resetModules());
afterAll(() => void vi.resetModules());

const COST = { memory: 1024, passes: 1, parallelism: 1 };

test('spends as much time on the password of an unknown user as on any other', async () => {
  const { hash, verify } = passwordHashing(PASSWORD_COST);
  const stored = await hash('three brown horses');
  vi.mocked(argon2id).mockClear();
  for (const known of [stored, undefined]) await verify('three brown horse', known);
  const costs = vi
    .mocked(argon2id)
    .mock.calls.map(([{ memory, passes, parallelism, tagLength }]) => [memory, passes, parallelism, tagLength]);
  expect(costs).toEqual([costs[0], costs[0]]);
});

test('hashes a few passwords at once, keeps a short queue, and asks the others to retry later', async () => {
  const { hash, verify } = passwordHashing(COST);
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

test('serves known users first', async () => {
  const { hash, verify } = passwordHashing(COST);
  const stored = await hash('three brown horses');
  const order: string[] = [];
  const look = (who: string, goesFirst: boolean) =>
    verify('three brown horses', stored, goesFirst).then(() => order.push(who));
  await Promise.all([...Array.from({ length: 20 }, () => look('stranger', false)), look('known', true)]);
  expect(order.indexOf('known')).toBeLessThan(10);
});

test('gives recovery codes no priority over others', async () => {
  const { hash, hashSet, verify, find } = passwordHashing(COST);
  const [stored, codes] = [await hash('three brown horses'), await hashSet(['k7fmq-29qxa'])];
  const order: string[] = [];
  const strangers = Array.from({ length: 15 }, () =>
    verify('three brown horses', stored).then(() => order.push('stranger')),
  );
  await Promise.all([...strangers, find('k7fmq-29qxa', codes).then(() => order.push('code'))]);
  expect(order.indexOf('code')).toBeGreaterThan(10);
});

test('continues hashing after a thread has died', async () => {
  const never = { message: 'x', nonce: Buffer.alloc(1), memory: 1, passes: 0, parallelism: 0, tagLength: 1 };
  for (let thread = 0; thread < 2; thread += 1) await expect(argon2id(never, true)).rejects.toThrow();
  const { hash, verify } = passwordHashing(COST);
  const stored = await Promise.all([hash('three brown horses'), hash('four grey donkeys')]);
  expect(await verify('three brown horses', stored[0])).toBe(true);
});

test('hashes in a server that restarts on change, where threads also report their imports', async () => {
  const never = { message: 'x', nonce: Buffer.alloc(1), memory: 1, passes: 0, parallelism: 0, tagLength: 1 };
  for (let thread = 0; thread < 2; thread += 1) await expect(argon2id(never, true)).rejects.toThrow();
  vi.stubEnv('WATCH_REPORT_DEPENDENCIES', '1');
  onTestFinished(() => void vi.unstubAllEnvs());
  const { hash, verify } = passwordHashing(COST);
  expect(await verify('three brown horses', await hash('three brown horses'))).toBe(true);
});

test('accepts a password hashed at another cost, or typed in another Unicode form', async () => {
  const [earlier, now] = [passwordHashing({ memory: 8, passes: 1, parallelism: 1 }), passwordHashing(COST)];
  const stored = await earlier.hash('drei größere Pferde'.normalize('NFC'));
  expect(await now.verify('drei größere Pferde'.normalize('NFD'), stored)).toBe(true);
  const codes = await earlier.hashSet(['k7fmq-29qxa', 'bd4we-k7fmq']);
  expect(await now.find('bd4we-k7fmq', codes)).toBe(codes[1]);
});

test('makes recovery codes of all letters and digits that cannot be confused', () => {
  const letters = new Set(newRecoveryCodes(randomBytes).join('').replaceAll('-', ''));
  expect(letters.size).toBeGreaterThan(20);
  expect([...letters].filter((letter) => '01lo'.includes(letter))).toEqual([]);
});

/** Increases with every thread that this process starts. */
async function nextThread(): Promise<number> {
  const thread = new Worker('', { eval: true });
  const { threadId } = thread;
  await thread.terminate();
  return threadId;
}

test('reuses its threads for every hash', async () => {
  const { hash } = passwordHashing({ memory: 8, passes: 1, parallelism: 1 });
  await Promise.all([hash('one'), hash('two'), hash('three')]);
  const before = await nextThread();
  for (const password of ['one', 'two', 'three', 'four']) await hash(password);
  expect(await nextThread()).toBe(before + 1);
});
