import * as crypto from 'node:crypto';
import { expect, test, vi } from 'vitest';
import { passwordHashing } from '../../server/security/passwords.ts';

/** How many hashes are made at this moment, and the most that ever were. */
const hashes = vi.hoisted(() => ({ running: 0, most: 0 }));

// the real one, counted
vi.mock('node:crypto', async (original) => {
  const real = await original<typeof crypto>();
  const counted: typeof real.argon2 = (algorithm, parameters, done) => {
    hashes.running += 1;
    hashes.most = Math.max(hashes.most, hashes.running);
    real.argon2(algorithm, parameters, (error, key) => {
      hashes.running -= 1;
      done(error, key);
    });
  };
  return { ...real, argon2: counted };
});

test('makes at most four hashes at once, of known and of unknown users, however many sign in', async () => {
  const { hash, verify } = passwordHashing({ memory: 8, passes: 1, parallelism: 1 });
  const stored = await hash('three brown horses');
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, index) => verify('three brown horses', index % 2 === 0 ? stored : undefined)),
  );
  expect(answers.filter((same) => same)).toHaveLength(20);
  expect(hashes).toEqual({ running: 0, most: 4 });
});
