import { monitorEventLoopDelay } from 'node:perf_hooks';
import { expect, test } from 'vitest';
import { guessesFor } from '../../server/security/password-guesses.ts';
import { passwordProblem } from '../../server/security/password-rules.ts';

/** 256 characters in which an estimator finds a word at every place. */
const COSTLY = 'p4ssw0rd1love'.repeat(20).slice(0, 256);

test('estimates the longest passwords without holding up anything else', async () => {
  await guessesFor(['warm'], ['anybody@example.com']);
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  const people = ['a@example.com', 'b@example.com'];
  await Promise.all(people.map((email) => passwordProblem(COSTLY, [email])));
  delay.disable();
  expect(delay.max / 1e6).toBeLessThan(500);
});

test('lets one person have few passwords estimated at once', async () => {
  const asking = Array.from({ length: 6 }, () =>
    guessesFor(['seven green parrots'], ['one@example.com']).then(
      () => 200,
      ({ status }) => status,
    ),
  );
  const other = guessesFor(['seven green parrots'], ['other@example.com']);
  expect(await Promise.all(asking)).toEqual([200, 200, 200, 200, 429, 429]);
  expect((await other)[0]).toBeGreaterThan(8);
});

test('gives up an estimate that takes too long, and goes on with the next', async () => {
  await expect(guessesFor([COSTLY], ['one@example.com'], 0)).rejects.toMatchObject({ status: 503 });
  expect((await guessesFor(['seven green parrots'], ['one@example.com']))[0]).toBeGreaterThan(8);
});
