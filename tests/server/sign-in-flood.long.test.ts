import { expect, test } from 'vitest';
import { PASSWORD_COST } from '../../server/security/passwords.ts';
import { projects } from '../../src/domain/resources/projects.ts';
import { formOf, signedIn } from './harness.ts';
import { filesFor, valuesFor } from './samples.ts';
import { PROXY, stranger } from './stranger.ts';

test('answers a flood of sign-ins with 429 instead of queueing it, and still lets known users in', async () => {
  const { app, admin } = await signedIn(PROXY, { passwordCost: { ...PASSWORD_COST, passes: 1 } });
  const guess = await stranger(app, admin);
  const flood = Array.from({ length: 500 }, (_, n) => guess(n, `a${n}@example.com`, 'wrong'));
  const [mine, read] = await Promise.all([admin.signIn(), admin.get(projects.endpoints.list)]);
  expect([mine.statusCode, read.statusCode]).toEqual([200, 200]);
  const answers = await Promise.all(flood);
  const refused = answers.filter((answer) => answer.statusCode === 429);
  expect(refused.length).toBeGreaterThan(400);
  expect(answers.filter((answer) => answer.statusCode === 422)).toHaveLength(500 - refused.length);
  expect(refused[0]?.json().code).toBe('too-busy');
  expect(Number(refused[0]?.headers['retry-after'])).toBeGreaterThan(0);
});

test('saves files while passwords are hashed, because those have their own threads', async () => {
  const { app, admin } = await signedIn(PROXY, { passwordCost: { memory: 65_536, passes: 12, parallelism: 1 } });
  const guess = await stranger(app, admin);
  const order: string[] = [];
  const flood = Array.from({ length: 12 }, (_, n) =>
    guess(n, `a${n}@example.com`, 'wrong').then(() => order.push('sign-in')),
  );
  const form = formOf(valuesFor(projects.fields), await filesFor(projects));
  const saved = admin.post(projects.endpoints.create, form).then(() => order.push('save'));
  await Promise.all([...flood, saved]);
  expect(order.indexOf('save')).toBeLessThan(6);
});
