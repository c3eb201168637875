import { expect, test, vi } from 'vitest';
import { passwordProblem } from '../../server/security/password-rules.ts';
import { ADMIN, formOf, startServer } from './harness.ts';

const COMMON = 'The new password is too common. Choose one that is hard to guess.';

test.each([
  ['short', 'The new password must be at least 12 characters.'],
  ['password1234', COMMON],
  ['aaaaaaaaaaaaaa', COMMON],
  ['QWERTYUIOPAS', COMMON],
  ['147258369147258', COMMON],
  ['zxcvbnm,asdfgh', COMMON],
  ['Passw0rd2024!', COMMON],
  ['Welcome2026!!', COMMON],
  ['NorthernPower2026', COMMON],
  ['Dhaka_Dhaka_2026', COMMON],
  ['Bhurungamari-7x2', COMMON],
  ['admin.example.com', COMMON],
  ['Voltdesk-2026-11', COMMON],
  ['correct-horse-battery-staple', COMMON],
  ['CorrectHorseBatteryStaple', COMMON],
  [ADMIN.email.toUpperCase(), 'The new password must not be your email or name.'],
  ['🔋🐴🌊🍀🎈🚲⛵', 'The new password must be at least 12 characters.'],
  [ADMIN.email, 'The new password must not be your email or name.'],
  ['x'.repeat(200) + 'yz'.repeat(40), 'The new password must not be greater than 256 characters.'],
])('refuses "%s" as a new password and says why', async (next, text) => {
  const { client } = await startServer({ BRAND_LABEL: 'Northern Power', LOCATION_LINE: 'Dhaka, Bhurungamari' });
  const admin = await client();
  await admin.signIn();
  const form = { previous_password: ADMIN.password, new_password: next, new_password_confirmation: next };
  const answer = await admin.post('/api/change-password', formOf(form));
  expect(answer.statusCode).toBe(422);
  expect(answer.json().errors).toEqual({ new_password: [text] });
});

test.each(['seven green parrots', 'k7fmq-29qxa-bd4we', 'Тихий вечер у реки', 'mE!3vq#Zp0Lr', '8306 1749 2655 90'])(
  'accepts "%s" as a new password',
  async (next) => {
    const { client } = await startServer();
    const admin = await client();
    await admin.signIn();
    const form = { previous_password: ADMIN.password, new_password: next, new_password_confirmation: next };
    expect((await admin.post('/api/change-password', formOf(form))).statusCode).toBe(200);
  },
);

test('reports a new password as too short and as not confirmed, and accepts one of 256 characters', async () => {
  const { client } = await startServer();
  const admin = await client();
  await admin.signIn();
  const change = (next: string, confirmation: string) =>
    admin.post('/api/change-password', {
      previous_password: ADMIN.password,
      new_password: next,
      new_password_confirmation: confirmation,
    });
  expect((await change('short', 'shorter')).json().errors).toEqual({
    new_password: ['The new password must be at least 12 characters.', 'The new password confirmation does not match.'],
  });
  const longest = 'seven green parrots '.repeat(13).slice(0, 255).concat('!');
  expect((await change(longest, longest)).statusCode).toBe(200);
});

test('removes the longest names first, so that no part of one counts as own characters', async () => {
  const names = ['Voltdesk', 'Annapurnalight', 'Ann Nagar', 'Dhaka'];
  expect(await passwordProblem('Nagar-Annapurnalight-Dhaka', names)).toBe(COMMON);
  expect(await passwordProblem('Nagar-Annapurnalight-kettle', names)).toBeUndefined();
});

test('counts letters of every alphabet, beside names and within them', async () => {
  const names = ['Jörg Müller', 'Voltdesk'];
  expect(await passwordProblem('voltdesk-äöüßéñ', names)).toBeUndefined();
  expect(await passwordProblem('müller-jörg-12', names)).toBe(COMMON);
});

test('lets signed-in users change passwords ahead of strangers’ sign-ins', async () => {
  const { app, client } = await startServer();
  const admin = await client();
  await admin.signIn();
  const verify = vi.spyOn(app.services.passwords, 'verify');
  const form = { previous_password: 'wrong', new_password: 'seven green parrots' };
  await admin.post('/api/change-password', formOf(form));
  expect(verify).toHaveBeenCalledExactlyOnceWith('wrong', expect.any(String), true);
});
