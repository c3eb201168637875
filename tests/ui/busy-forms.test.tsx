import { fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { AuthenticatorDialog } from '../../src/features/account/authenticator-dialog.tsx';
import PreferencesScreen from '../../src/features/account/preferences-screen.tsx';
import ForgottenScreen from '../../src/features/auth/forgotten-screen.tsx';
import LoginScreen from '../../src/features/auth/login-screen.tsx';
import PasskeyButton from '../../src/features/auth/passkey-button.tsx';
import PasswordScreen from '../../src/features/auth/password-screen.tsx';
import SignInDialog from '../../src/features/auth/sign-in-dialog.tsx';
import WelcomeScreen from '../../src/features/auth/welcome-screen.tsx';
import { useSession } from '../../src/stores/session.ts';
import { answer, NADIA, press, sent, show } from './open-screen.tsx';

/** What every form of the account has in common: one request at a time, and fields that suit a phone's keyboard. */

vi.mock('../../src/api/waiting-here.ts', () => ({ useWaitingHere: () => 0 }));

beforeEach(() => {
  vi.stubGlobal('PublicKeyCredential', () => {});
  vi.stubGlobal('isSecureContext', true);
});
afterEach(() => vi.unstubAllGlobals());

const app = { ticket: 'ticket-2', secret: 'ABCD', address: 'otpauth://totp/x' };

test.each([
  ['Send link', 'Sending…', 'POST /api/auth/forgot-password', () => <ForgottenScreen />],
  ['Change Password', 'Changing…', 'POST /api/change-password', () => <PasswordScreen />],
  ['Set password', 'Saving…', 'POST /api/link/take', () => <WelcomeScreen />],
  ['Use a passkey', 'Waiting for the passkey…', 'POST /api/auth/passkey/options', passkeyButton],
  ['Turn on', 'Checking…', 'POST /api/security/authenticator/take', authenticatorDialog],
])('%s sends once, says “%s” meanwhile and keeps the focus', async (label, busyLabel, call, element) => {
  answer('POST /api/link/look', { purpose: 'invitation', name: 'Omar', email: 'omar@example.com' });
  show(element(), { pathname: '/here', hash: '#secret' });
  const button = await screen.findByRole('button', { name: label });
  expect(button.getAttribute('aria-disabled')).toBe('false');
  button.focus();
  fireEvent.click(button);
  await screen.findByRole('button', { name: busyLabel });
  expect(button.getAttribute('aria-disabled')).toBe('true');
  fireEvent.click(button);
  expect(document.activeElement).toBe(button);
  expect(sent(call)).toHaveLength(1);
});

function passkeyButton() {
  return <PasskeyButton remember onSignedIn={() => {}} />;
}

function authenticatorDialog() {
  return <AuthenticatorDialog app={app} onAdded={() => {}} onClose={() => {}} />;
}

/** What a phone's keyboard may do to the text of a field. */
const keyboard = (label: string) => {
  const input = screen.getByLabelText<HTMLInputElement>(label);
  return [input.type, input.getAttribute('autocapitalize'), input.getAttribute('spellcheck')];
};

test('a phone’s keyboard neither capitalizes an address nor corrects a password', async () => {
  useSession.setState({ user: undefined, token: undefined } as never);
  const { unmount } = show(<LoginScreen />);
  expect(keyboard('Email')).toEqual(['email', 'none', null]);
  await press('Show');
  expect(keyboard('Password')).toEqual(['text', 'none', 'false']);
  unmount();
  const forgotten = show(<ForgottenScreen />);
  expect(keyboard('Email')).toEqual(['email', 'none', null]);
  forgotten.unmount();
  show(authenticatorDialog());
  expect(keyboard('Code the app shows now')).toEqual(['text', 'none', 'false']);
});

test('the sign-in over a screen knows the address, and starts with the password', () => {
  show(<SignInDialog onClose={() => {}} />);
  expect(screen.getByLabelText<HTMLInputElement>('Email').value).toBe(NADIA.email);
  expect(document.activeElement).toBe(screen.getByLabelText('Password'));
});

test('the language can be chosen before the sign-in, and under Preferences', () => {
  useSession.setState({ user: undefined, token: undefined } as never);
  const { unmount } = show(<LoginScreen />);
  expect(screen.getByRole<HTMLSelectElement>('combobox', { name: 'Language' }).value).toBe('en');
  unmount();
  show(<PreferencesScreen />);
  expect(screen.getByRole<HTMLSelectElement>('combobox', { name: /^Language/ }).value).toBe('en');
});
