import fastify from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { answerErrors } from '../../server/protocol/errors.ts';
import { forgottenRoute } from '../../server/protocol/forgotten.ts';
import type { Letter } from '../../server/accounts/mail.ts';
import { countAttempts } from '../../server/shared/attempts.ts';
import type { People } from '../../server/stores/people.ts';
import { FORGOT_PATH } from '../../src/domain/protocol/people.ts';
import { soon } from '../harness/soon.ts';
import { testSettings } from './harness.ts';

const SENT = { message: 'If there is an account with this email, a link is on its way.' };

/** A server that knows Anna, with letters, log lines and answers visible to the test. */
function world(sendMail?: (letter: Letter) => Promise<void>) {
  const lines: { msg: string; audit?: string; who?: string }[] = [];
  const asked: string[] = [];
  const unsent: string[] = [];
  const clock = { at: 0 };
  const people = {
    async forgottenLink(email: string) {
      asked.push(email);
      if (email === 'broken@example.com') throw new Error('away');
      if (email !== 'anna@example.com') return undefined;
      return { token: 'TOKEN', name: 'Anna', email, expiresAt: '2026-11-20T13:05:00.000Z' };
    },
    notSent: async (token: string) => void unsent.push(token),
  } as unknown as People;
  const app = fastify({
    logger: { stream: { write: (line: string) => void lines.push(JSON.parse(line)) } },
    trustProxy: true,
  });
  onTestFinished(() => app.close());
  answerErrors(app);
  const settings = testSettings({ BRAND_LABEL: 'Northern Power', PUBLIC_HOST: 'desk.example.com' });
  forgottenRoute(app, { people, attempts: countAttempts(() => clock.at), settings, sendMail });
  const ask = async (email: unknown, from = '192.0.2.1') => {
    const headers = { 'x-forwarded-for': from, 'x-forwarded-proto': 'https', host: 'stranger.example' };
    const answer = await app.inject({ method: 'POST', url: FORGOT_PATH, payload: { email }, headers });
    return { status: answer.statusCode, body: answer.json() };
  };
  return { ask, asked, unsent, lines, clock };
}

test('mails a link to this server, with its purpose and expiry, to a user who forgot the password', async () => {
  const letters: Letter[] = [];
  const { ask, unsent, lines } = world(async (letter) => void letters.push(letter));
  expect(await ask(' anna@example.com ')).toEqual({ status: 200, body: SENT });
  await soon(() => expect(letters).toHaveLength(1));
  expect(letters[0]).toMatchObject({ to: 'anna@example.com', subject: 'Your new password for Northern Power' });
  const text = letters[0]?.text ?? '';
  expect(text).toContain('Somebody, probably you, asked for a new password for the back office of Northern Power.');
  expect(text).toMatch(/\n\nhttps:\/\/desk\.example\.com\/\S+#TOKEN\n\n/);
  expect(text).toContain('until 2026-11-20 13:05 UTC');
  expect(unsent).toEqual([]);
  expect(lines).toContainEqual(
    expect.objectContaining({ audit: 'password link asked for', who: 'anna@example.com', msg: expect.anything() }),
  );
});

test('answers the same with and without an account, and does not wait for the letter', async () => {
  const { ask, asked } = world(() => new Promise(() => undefined));
  expect(await ask('anna@example.com')).toEqual(await ask('nobody@example.com'));
  expect(asked).toEqual(['anna@example.com', 'nobody@example.com']);
});

test('only logs an unsent letter or a failed link, and does not block another request', async () => {
  const { ask, unsent, lines } = world(() => Promise.reject(new Error('no mail')));
  expect((await ask('anna@example.com')).status).toBe(200);
  expect((await ask('broken@example.com')).status).toBe(200);
  const failed = () => lines.map(({ msg }) => msg).filter((msg) => / not sent|no link/.test(msg));
  await soon(() => expect(failed().toSorted()).toEqual(['mail not sent', 'no link was sent']));
  expect(unsent).toEqual(['TOKEN']);
});

test('allows one letter a minute per account, however spelled, and five requests per network address', async () => {
  const { ask, clock } = world(async () => undefined);
  const statuses = async (...asks: (readonly [string, string?])[]) => {
    const all = [];
    for (const one of asks) all.push((await ask(...one)).status);
    return all;
  };
  expect(await statuses(['anna@example.com'], ['ANNA@example.com', '192.0.2.2'])).toEqual([200, 429]);
  expect(await statuses(['a@b'], ['b@b'], ['c@b'], ['d@b'], ['e@b'])).toEqual([200, 200, 200, 200, 429]);
  expect(await statuses(['e@b', '192.0.2.3'])).toEqual([200]);
  const network = ['a', 'b', 'c', 'd', 'e', 'f'].map((end) => [`${end}@c`, `2001:db8:1:2::${end}`] as const);
  expect(await statuses(...network)).toEqual([200, 200, 200, 200, 200, 429]);
  clock.at = 60_000;
  expect(await statuses(['anna@example.com'])).toEqual([200]);
});

test('sends at most twenty letters a minute in total', async () => {
  const { ask, asked } = world(async () => undefined);
  for (let one = 0; one < 20; one += 1) expect((await ask(`${one}@example.com`, `192.0.2.${one}`)).status).toBe(200);
  expect((await ask('last@example.com', '192.0.2.99')).status).toBe(429);
  expect(asked).toHaveLength(20);
});

test('sends no link without a mail server or without an address', async () => {
  const answer = await world().ask('anna@example.com');
  expect([answer.status, answer.body.message]).toEqual([404, 'There is nothing at this address.']);
  const { ask, asked } = world(async () => undefined);
  for (const email of ['', ' ', undefined])
    expect((await ask(email)).body).toMatchObject({ errors: { email: ['The email field is required.'] } });
  expect(asked).toEqual([]);
});
