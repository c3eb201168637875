import { act, fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { AuthenticatorDialog } from '../../src/features/account/authenticator-dialog.tsx';
import { InviteDialog } from '../../src/features/account/invite-dialog.tsx';
import PreferencesScreen from '../../src/features/account/preferences-screen.tsx';
import FactorStep from '../../src/features/auth/factor-step.tsx';
import ForgottenScreen from '../../src/features/auth/forgotten-screen.tsx';
import LoginScreen from '../../src/features/auth/login-screen.tsx';
import PasskeyButton from '../../src/features/auth/passkey-button.tsx';
import PasswordScreen from '../../src/features/auth/password-screen.tsx';
import SignInDialog from '../../src/features/auth/sign-in-dialog.tsx';
import { SignInForm } from '../../src/features/auth/sign-in-form.tsx';
import WelcomeScreen from '../../src/features/auth/welcome-screen.tsx';
import { useSession } from '../../src/stores/session.ts';
import { answer, NADIA, press, refusal, sent, show } from './open-screen.tsx';

/** What every form of the account has in common: one request at a time, errors at their fields, and keyboard hints for phones. */

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

const CODE_ASKED = { ticket: 'ticket-1', passkey: false, code: true } as never;

test.each([
  ['Sign in', 'POST /api/auth/login', ['email', 'password'], () => <SignInForm onSignedIn={() => {}} />],
  ['Continue', 'POST /api/auth/second-factor', ['code'], factorStep],
  ['Turn on', 'POST /api/security/authenticator/take', ['code'], authenticatorDialog],
  ['Send link', 'POST /api/auth/forgot-password', ['email'], () => <ForgottenScreen />],
  [
    'Change Password',
    'POST /api/change-password',
    ['previous_password', 'new_password', 'new_password_confirmation'],
    () => <PasswordScreen />,
  ],
  [
    'Set password',
    'POST /api/link/take',
    ['name', 'new_password', 'new_password_confirmation'],
    () => <WelcomeScreen />,
  ],
  ['Invite', 'POST /api/people/invitations', ['email', 'name', 'role'], inviteDialog],
])(
  '%s marks each refused field, describes it by its error and repeats nothing above',
  async (label, call, names, form) => {
    answer('POST /api/link/look', { purpose: 'invitation', name: 'Omar', email: 'omar@example.com' });
    answer(call, refusal(Object.fromEntries(names.map((name) => [name, [`The ${name} is wrong.`]]))));
    show(form(), { pathname: '/here', hash: '#secret' });
    if (label === 'Continue') fireEvent.change(await screen.findByRole('textbox'), { target: { value: '123456' } });
    await press(label);
    await screen.findByText(`The ${names[0]} is wrong.`);
    const described = [...document.querySelectorAll('[aria-invalid="true"]')].map((input) => [
      input.getAttribute('name'),
      document.getElementById(input.getAttribute('aria-describedby') ?? '')?.textContent,
    ]);
    expect(described).toEqual(names.map((name) => [name, `The ${name} is wrong.`]));
    expect(document.querySelector('.form-failure')).toBeNull();
  },
);

function factorStep() {
  return <FactorStep asked={CODE_ASKED} remember onSignedIn={() => {}} onBack={() => {}} />;
}

function inviteDialog() {
  return <InviteDialog onInvited={() => {}} onClose={() => {}} />;
}

test('a sign-in that ends soon is not called slow afterwards', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  answer('POST /api/auth/login', refusal());
  show(<SignInForm onSignedIn={() => {}} />);
  fireEvent.click(screen.getByRole('button', { name: 'Sign in' }));
  await act(async () => {});
  expect(document.querySelector('.form-failure')).not.toBeNull();
  act(() => void vi.advanceTimersByTime(60_000));
  expect(screen.queryByText('The connection is slow. Still trying…')).toBeNull();
});

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

test('prefills the address in the sign-in dialog, and focuses the password', () => {
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
