import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { secretOf } from '../../server/stores/sql/secrets.ts';
import { startServer } from './harness.ts';

test('creates one lasting secret for simultaneous first requests', async () => {
  const { db } = (await startServer()).app.services;
  const asked = [1, 2, 3].map(() => secretOf(db, 'of a test', randomBytes));
  const [first, ...others] = (await Promise.all(asked)).map((secret) => secret.toString('hex'));
  expect(first).toHaveLength(64);
  expect(others).toEqual([first, first]);
  expect((await secretOf(db, 'of a test', randomBytes)).toString('hex')).toBe(first);
  expect((await secretOf(db, 'of another', randomBytes)).toString('hex')).not.toBe(first);
});
