import { act, fireEvent, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter, Route, Routes, useLocation, useNavigationType } from 'react-router-dom';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { SIGNED_IN } from '../../src/domain/messages.ts';
import { CAPABILITIES_PATH } from '../../src/domain/protocol/capabilities.ts';
import ForgottenScreen from '../../src/features/auth/forgotten-screen.tsx';
import LoginScreen from '../../src/features/auth/login-screen.tsx';
import OwedScreen from '../../src/features/auth/owed-screen.tsx';
import PasswordScreen from '../../src/features/auth/password-screen.tsx';
import SignInDialog from '../../src/features/auth/sign-in-dialog.tsx';
import { SignInForm } from '../../src/features/auth/sign-in-form.tsx';
import { useConnection } from '../../src/stores/connection.ts';
import { UNTOUCHED, usePreferences } from '../../src/stores/preferences.ts';
import { useServerAbilities } from '../../src/stores/server-abilities.ts';
import { useSession } from '../../src/stores/session.ts';
import { useSettings } from '../../src/stores/settings.ts';
import { soon } from '../harness/soon.ts';
import { answer, NADIA, press, refusal, sent, show, told, unreachable } from './open-screen.tsx';

/** Where a sign-in leads, what it remembers, and what it shows while it takes long. */

const here = vi.hoisted(() => ({ waiting: 0 }));
vi.mock('../../src/api/waiting-here.ts', () => ({ useWaitingHere: () => here.waiting }));
const browser = vi.hoisted(() => ({ startAuthentication: vi.fn<() => Promise<unknown>>() }));
vi.mock('@simplewebauthn/browser', () => browser);

const field = async (label: string) => screen.findByLabelText<HTMLInputElement>(label);
const forgets = () => localStorage.getItem('voltdesk.ends_with_browser') === '1';
const SESSION = { user: NADIA, token: 'token-2' };
const SECOND_STEP = { message: 'One more step.', ticket: 'ticket-1', passkey: true, code: true };

beforeEach(() => {
  here.waiting = 0;
  useServerAbilities.setState({}, true);
  usePreferences.setState(UNTOUCHED, true);
  browser.startAuthentication.mockResolvedValue({ id: 'shown' });
});
afterEach(() => {
  vi.unstubAllGlobals();
  usePreferences.setState(UNTOUCHED, true);
});

function withPasskeys(): void {
  vi.stubGlobal('PublicKeyCredential', () => {});
  vi.stubGlobal('isSecureContext', true);
}

const nobody = () => useSession.setState({ user: undefined, token: undefined } as never);

function Elsewhere() {
  return <p>{`${useLocation().pathname} by ${useNavigationType()}`}</p>;
}

/** Opens the sign-in as a signed-in user who comes from an address. */
function openOnTheWay(from: unknown): void {
  render(
    <MemoryRouter initialEntries={[{ pathname: '/login', state: { from } }]}>
      <Routes>
        <Route path="/login" element={<LoginScreen />} />
        <Route path="*" element={<Elsewhere />} />
      </Routes>
    </MemoryRouter>,
  );
}

test.each([
  ['/partner-edit/7', '/partner-edit/7'],
  ['//elsewhere.example/partner-edit', '/outbox'],
  ['https://elsewhere.example', '/outbox'],
  ['/login', '/outbox'],
  ['/', '/outbox'],
  [undefined, '/outbox'],
])('a signed-in user coming from %s is redirected to %s, replacing this page', (from, to) => {
  usePreferences.setState({ landing: '/outbox' });
  openOnTheWay(from);
  expect(screen.getByText(`${to} by REPLACE`)).toBeDefined();
});

test('shows the form when the session has ended', async () => {
  useSession.setState({ ended: true });
  openOnTheWay('/partner-edit/7');
  expect(await field('Email')).toBeDefined();
});

test('prefills the address after a password was set, and loads the server’s capabilities', async () => {
  nobody();
  show(<LoginScreen />, { pathname: '/login', state: { email: 'omar@example.com' } });
  expect((await field('Email')).value).toBe('omar@example.com');
  expect(document.activeElement).toBe(await field('Password'));
  expect(sent(`GET ${CAPABILITIES_PATH}`)).toHaveLength(1);
});

test('focuses the first field', async () => {
  nobody();
  show(<LoginScreen />);
  expect(document.activeElement).toBe(await field('Email'));
});

test('shows no notice when nothing waits and the device is online', () => {
  nobody();
  show(<LoginScreen />);
  const notice = () => document.querySelector('main output:not(.form-slow)')?.textContent;
  expect(notice()).toBeUndefined();
  act(() => useConnection.setState({ answers: false }));
  expect(notice()).toBe('You’re offline. Signing in needs a connection.');
});

test('counts the waiting changes, and mentions no connection while online', () => {
  nobody();
  here.waiting = 2;
  show(<LoginScreen />);
  expect(document.querySelector('main output:not(.form-slow)')?.textContent.trim()).toBe(
    '2 changes wait on this device and will be sent when the administrator who made them signs in.',
  );
});

test('shows the names of the installation that are set, and the page title', () => {
  const before = useSettings.getState();
  onTestFinished(() => void act(() => useSettings.setState(before)));
  nobody();
  useSettings.setState({ brandLabel: 'Bright Power', locationLine: '', companyLabel: 'Bright Company' });
  show(<LoginScreen />);
  expect(screen.getByText('Bright Power')).toBeDefined();
  expect(screen.getByText('Bright Company, back office')).toBeDefined();
  act(() => useSettings.setState({ locationLine: 'Dhaka' }));
  expect(screen.getByText('Bright Power · Dhaka')).toBeDefined();
  expect(document.title).toMatch(/^Sign in · /);
});

test('applies Remember to a password, a second step and a passkey in either place', async () => {
  withPasskeys();
  useServerAbilities.setState({ secondFactor: true });
  answer('POST /api/auth/second-factor', SESSION);
  answer('POST /api/auth/passkey/options', { ticket: 'ticket-5', options: {} });
  answer('POST /api/auth/passkey', SESSION);
  answer('POST /api/auth/login', SECOND_STEP);
  const ways: Record<string, () => Promise<void>> = {
    passkey: () => press('Use a passkey'),
    code: async () => {
      await press('Sign in');
      await userEvent.type(await field('Code from your authenticator app'), '123456');
      await press('Continue');
    },
    both: async () => {
      await press('Sign in');
      await field('Code from your authenticator app');
      await press('Use a passkey');
    },
  };
  for (const remember of [false, true]) {
    for (const way of Object.values(ways)) {
      localStorage.removeItem('voltdesk.ends_with_browser');
      const done = vi.fn<() => void>();
      const { unmount } = show(<SignInForm initialEmail={NADIA.email} onSignedIn={done} />);
      if (!remember) await userEvent.click(screen.getByRole('checkbox', { name: 'Remember' }));
      await way();
      await soon(() => expect(done).toHaveBeenCalledOnce());
      await told(`done: ${SIGNED_IN}`);
      expect(forgets()).toBe(!remember);
      unmount();
    }
  }
});

test('asks for a code in a browser without passkeys', async () => {
  vi.stubGlobal('isSecureContext', false);
  useServerAbilities.setState({ secondFactor: true });
  answer('POST /api/auth/login', SECOND_STEP);
  show(<SignInForm onSignedIn={() => {}} />);
  await vi.dynamicImportSettled();
  expect(screen.queryByRole('button', { name: 'Use a passkey' })).toBeNull();
  await press('Sign in');
  expect(await screen.findByText('Password accepted. Now open your authenticator app.')).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Use a passkey' })).toBeNull();
  const code = await field('Code from your authenticator app');
  await soon(() => expect(document.activeElement).toBe(code));
});

test('offers no passkey for the second step of somebody who has none', async () => {
  withPasskeys();
  answer('POST /api/auth/login', { ...SECOND_STEP, passkey: false });
  show(<SignInForm onSignedIn={() => {}} />);
  await press('Sign in');
  expect(await screen.findByText('Password accepted. Now open your authenticator app.')).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Use a passkey' })).toBeNull();
  expect(screen.getByRole('button', { name: 'Continue' }).className).toContain('contained');
});

test('makes the passkey the primary action of the second step, and a secondary one of the first', async () => {
  withPasskeys();
  useServerAbilities.setState({ secondFactor: true });
  answer('POST /api/auth/login', SECOND_STEP);
  show(<SignInForm onSignedIn={() => {}} />);
  expect((await screen.findByRole('button', { name: 'Use a passkey' })).className).toContain('outlined');
  await press('Sign in');
  await field('Code from your authenticator app');
  expect((await screen.findByRole('button', { name: 'Use a passkey' })).className).toContain('contained');
  expect(screen.getByRole('button', { name: 'Continue' }).className).toContain('outlined');
});

test('submits nothing for Show and Forgot password', async () => {
  show(<SignInForm onSignedIn={() => {}} />);
  await press('Show');
  expect(fireEvent.click(screen.getByRole('link', { name: 'Forgot password' }))).toBe(false);
  expect(sent('POST /api/auth/login')).toEqual([]);
});

test('marks only the field with an error', async () => {
  const invalid = () => [...document.querySelectorAll<HTMLElement>('.field')].map(({ dataset }) => dataset['invalid']);
  answer('POST /api/auth/login', refusal({ password: ['The password is missing.'] }));
  const { unmount } = show(<SignInForm onSignedIn={() => {}} />);
  expect(invalid()).toEqual(['false', 'false']);
  await press('Sign in');
  await screen.findByText('The password is missing.');
  expect(invalid()).toEqual(['false', 'true']);
  unmount();
  answer('POST /api/auth/forgot-password', refusal({ email: ['This is no address.'] }));
  show(<ForgottenScreen />);
  expect((await field('Email')).getAttribute('aria-invalid')).toBe('false');
  await press('Send link');
  await screen.findByText('This is no address.');
  expect((await field('Email')).getAttribute('aria-invalid')).toBe('true');
});

const SLOW = 'The connection is slow. Still trying…';

test.each([
  ['the sign-in', 'Sign in', 'POST /api/auth/login', () => <SignInForm onSignedIn={() => {}} />],
  ['a change of the password', 'Change Password', 'POST /api/change-password', () => <PasswordScreen />],
])('says that %s is slow until it ends', async (_, name, call, element) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  let fail = (_failure: Error) => {};
  answer(call, new Promise((_resolve, reject) => (fail = reject)));
  show(element());
  fireEvent.click(screen.getByRole('button', { name }));
  expect(screen.queryByText(SLOW)).toBeNull();
  act(() => void vi.advanceTimersByTime(8100));
  expect(screen.getByText(SLOW)).toBeDefined();
  await act(async () => fail(unreachable()));
  await act(async () => {});
  expect(document.querySelector('.form-failure')?.textContent).toBe('Can’t reach the server.');
  expect(screen.queryByText(SLOW)).toBeNull();
});

test('says that a second step is slow too', async () => {
  answer('POST /api/auth/login', { ...SECOND_STEP, passkey: false });
  answer('POST /api/auth/second-factor', new Promise(() => {}));
  show(<SignInForm onSignedIn={() => {}} />);
  await press('Sign in');
  fireEvent.change(await field('Code from your authenticator app'), { target: { value: '123456' } });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  fireEvent.click(screen.getByRole('button', { name: 'Continue' }));
  act(() => void vi.advanceTimersByTime(8100));
  expect(screen.getByText(SLOW)).toBeDefined();
});

test('tells password managers which password is new', async () => {
  show(<PasswordScreen />);
  const kinds = [];
  for (const label of ['Previous password', 'New password', 'Confirm new password'])
    kinds.push((await field(label)).autocomplete);
  expect(kinds).toEqual(['current-password', 'new-password', 'new-password']);
});

test('the sign-in dialog explains itself and closes when done', async () => {
  const closed = vi.fn<() => void>();
  answer('POST /api/auth/login', SESSION);
  show(<SignInDialog onClose={closed} />);
  expect(screen.getByText(/^Your session has ended\. Nothing on this page is lost/)).toBeDefined();
  await press('Sign in');
  await soon(() => expect(closed).toHaveBeenCalledOnce());
});

test('Escape closes the sign-in dialog without a sign-in', async () => {
  const [closed, signedIn] = [vi.fn<() => void>(), vi.fn<() => void>()];
  show(<SignInDialog onClose={closed} onSignedIn={signedIn} />);
  await userEvent.keyboard('{Escape}');
  expect([closed.mock.calls.length, signedIn.mock.calls.length]).toEqual([1, 0]);
});

test('reloads the user once a required second factor is set up and its codes were shown', async () => {
  useSession.setState({ user: { ...NADIA, owes: 'second-factor' } });
  answer('POST /api/security/authenticator', { ticket: 't', secret: 'ABCD', address: 'otpauth://totp/x' });
  answer('POST /api/security/authenticator/take', { message: 'Set up.', recoveryCodes: ['aaaa-bbbb'] });
  show(<OwedScreen onLogOut={() => {}} />);
  await press(/^Use an authenticator app/);
  const dialog = within(await screen.findByRole('dialog', { name: 'Set up an authenticator app' }));
  fireEvent.change(dialog.getByLabelText('Code the app shows now'), { target: { value: '123456' } });
  fireEvent.click(dialog.getByRole('button', { name: 'Turn on' }));
  const codes = within(await screen.findByRole('dialog', { name: 'Keep your recovery codes' }));
  expect(sent('GET /api/user')).toEqual([]);
  fireEvent.click(codes.getByRole('button', { name: 'I’ve saved them' }));
  await soon(() => expect(sent('GET /api/user')).toHaveLength(1));
});
