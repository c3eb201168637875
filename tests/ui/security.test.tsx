import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { answers, nadia, openApp, refuse } from './page.tsx';

const ASKED = { message: 'One more step.', ticket: 'ticket-1', passkey: false, code: true };
const token = () => localStorage.getItem('access_token');

type User = Awaited<ReturnType<typeof openApp>>['user'];

async function enter(user: User, within_: Pick<typeof screen, 'findByLabelText' | 'getByRole'> = screen) {
  const email = await within_.findByLabelText('Email');
  await user.clear(email);
  await user.type(email, nadia.email);
  await user.type(await within_.findByLabelText('Password'), 'secret-enough');
  await user.click(within_.getByRole('button', { name: 'Sign in' }));
}

test('asks for the second step after the password, and then starts the session', async () => {
  const { user } = await openApp('/login', { signedIn: false });
  answers['POST /api/auth/login'] = () => ASKED;
  await enter(user);
  const code = await screen.findByLabelText('Code from your authenticator app');
  expect(token()).toBeNull();
  answers['POST /api/auth/second-factor'] = await refuse({ code: ['This code is not right.'] });
  await user.type(code, '000 000');
  await user.click(screen.getByRole('button', { name: 'Continue' }));
  expect(await screen.findAllByText('This code is not right.')).not.toEqual([]);
  expect(token()).toBeNull();
  const sent: unknown[] = [];
  answers['POST /api/auth/second-factor'] = (body) => {
    sent.push(body);
    return { user: nadia, token: 'token-2' };
  };
  await user.click(screen.getByRole('button', { name: 'Use a recovery code' }));
  await user.type(screen.getByLabelText('Recovery code'), 'abcde-fghjk');
  await user.click(screen.getByRole('button', { name: 'Continue' }));
  expect(await screen.findByRole('heading', { name: 'Dashboard' })).toBeDefined();
  expect([sent, token()]).toEqual([[{ ticket: 'ticket-1', code: 'abcde-fghjk' }], 'token-2']);
});

/** The Security screen after a request that needs a fresh sign-in. */
async function asksForSignIn() {
  const { user } = await openApp('/security');
  const { ApiFailure } = await import('../../src/api/failure.ts');
  answers['GET /api/security'] = () => ({ passkeys: [], codesLeft: 0, required: false });
  const tokens: unknown[] = [];
  answers['POST /api/security/authenticator'] = () => {
    tokens.push(token());
    if (tokens.length === 1) throw new ApiFailure('sign-in-again', 'Sign in again to change this.');
    return { ticket: 'ticket-2', secret: 'ABCDEFGH', address: 'otpauth://totp/x?secret=ABCDEFGH' };
  };
  await user.click(await screen.findByRole('button', { name: /^Use an authenticator app/ }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Sign in to continue' }));
  return { user, dialog, tokens };
}

test('continues after a fresh sign-in, and ends the replaced session once the new one is stored', async () => {
  const { user, dialog, tokens } = await asksForSignIn();
  const ended: unknown[] = [];
  answers['POST /api/auth/login'] = () => ({ user: nadia, token: 'token-2', replaces: 'old' });
  answers['POST /api/sessions/old/end'] = () => ended.push(token());
  await enter(user, dialog);
  expect(await screen.findByRole('dialog', { name: 'Set up an authenticator app' })).toBeDefined();
  expect(tokens[1]).toBe('token-2');
  await expect.poll(() => ended).toEqual(['token-2']);
});

test('changes nothing if nobody, or somebody else, signs in', async () => {
  const { user, dialog, tokens } = await asksForSignIn();
  answers['POST /api/auth/login'] = () => ({ user: { ...nadia, id: 8 }, token: 'token-3' });
  await enter(user, dialog);
  expect(await screen.findByText('Nothing was changed.')).toBeDefined();
  expect(tokens).toHaveLength(1);
});
