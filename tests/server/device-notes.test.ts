import { expect, test } from 'vitest';
import { NOTE_COOKIE, NOTE_LASTS } from '../../src/domain/protocol/device-notes.ts';
import { CAPABILITIES_PATH } from '../../src/domain/protocol/capabilities.ts';
import { startServer } from './harness.ts';

test('renews a device note as a server cookie, which outlives what scripts write', async () => {
  const { app } = await startServer();
  const mark = '3f1c9a6e-0000-4000-8000-000000000001';
  const cookies = { [`${NOTE_COOKIE}mark`]: mark, [`${NOTE_COOKIE}odd`]: 'x'.repeat(300), other: 'no-note' };
  const answer = await app.inject({ url: CAPABILITIES_PATH, cookies });
  expect(answer.cookies.filter(({ name }) => name.startsWith(NOTE_COOKIE) || name === 'other')).toEqual([
    { name: `${NOTE_COOKIE}mark`, value: mark, path: '/', sameSite: 'Lax', maxAge: NOTE_LASTS },
  ]);
  const week = 7 * 24 * 60 * 60;
  expect(NOTE_LASTS).toBeGreaterThan(50 * week);
});

test('renews a note received over TLS as a secure cookie', async () => {
  const { app } = await startServer({ TRUSTED_PROXIES: '127.0.0.1' });
  const headers = { 'x-forwarded-proto': 'https' };
  const answer = await app.inject({ url: CAPABILITIES_PATH, headers, cookies: { [`${NOTE_COOKIE}mark`]: 'value' } });
  expect(answer.cookies.find(({ name }) => name.startsWith(NOTE_COOKIE))).toMatchObject({ secure: true });
});
