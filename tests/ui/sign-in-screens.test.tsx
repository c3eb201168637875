import { act, fireEvent, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Link, MemoryRouter } from 'react-router-dom';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { ApiFailure } from '../../src/api/failure.ts';
import ForgottenScreen from '../../src/features/auth/forgotten-screen.tsx';
import OwedScreen from '../../src/features/auth/owed-screen.tsx';
import PasswordScreen from '../../src/features/auth/password-screen.tsx';
import { SignInForm } from '../../src/features/auth/sign-in-form.tsx';
import WelcomeScreen from '../../src/features/auth/welcome-screen.tsx';
import { useConnection } from '../../src/stores/connection.ts';
import { useServerAbilities } from '../../src/stores/server-abilities.ts';
import { useSession } from '../../src/stores/session.ts';
import { useSettings } from '../../src/stores/settings.ts';
import { soon } from '../harness/soon.ts';
import { answer, NADIA, press, refusal, sent, show, toasts, told, unreachable } from './open-screen.tsx';

const field = async (label: string) => screen.findByLabelText<HTMLInputElement>(label);
const type = async (label: string, text: string) => userEvent.type(await field(label), text);
const never = new Promise(() => {});

beforeEach(() => useServerAbilities.setState({}, true));

test('greets an invited person by name, and leads to a sign-in with their address', async () => {
  answer('POST /api/link/look', { purpose: 'invitation', name: 'Omar', email: 'omar@example.com' });
  answer('POST /api/link/take', refusal({ new_password: ['Too short.', 'Second.'], name: ['Needed.'] }));
  useSession.setState({ user: undefined, token: undefined } as never);
  show(<WelcomeScreen />, { pathname: '/welcome', hash: '#secret' });
  expect(await screen.findByRole('heading', { name: 'Welcome, Omar' })).toBeDefined();
  expect(screen.getByText('Choose your name and a password.')).toBeDefined();
  expect(sent('POST /api/link/look')).toEqual([{ token: 'secret' }]);
  expect((await field('Name')).value).toBe('Omar');
  // for password managers only
  const address = document.querySelector<HTMLInputElement>('input[name="email"]');
  expect([address?.value, address?.hidden, address?.readOnly]).toEqual(['omar@example.com', true, true]);
  await userEvent.clear(await field('Name'));
  await type('Name', 'Omar Faruk');
  await type('Password', 'four grey donkeys');
  await type('Confirm password', 'four grey donkey');
  await press('Set password');
  expect(await screen.findByText('Too short.')).toBeDefined();
  expect(screen.queryByText('Second.')).toBeNull();
  expect(document.querySelector('.form-failure')).toBeNull();
  const password = await field('Password');
  expect([password.getAttribute('aria-invalid'), password.getAttribute('aria-describedby')]).toEqual([
    'true',
    'new_password-error',
  ]);
  expect((await field('Confirm password')).getAttribute('aria-invalid')).toBe('false');
  expect((await field('Name')).getAttribute('aria-describedby')).toBe('name-error');
  await told('error: The given data was invalid.');
  answer('POST /api/link/take', { message: 'Welcome aboard.' });
  await press('Set password');
  expect(await screen.findByText('went to /login with {"email":"omar@example.com"}')).toBeDefined();
  expect(sent('POST /api/link/take').at(-1)).toEqual({
    token: 'secret',
    name: 'Omar Faruk',
    new_password: 'four grey donkeys',
    new_password_confirmation: 'four grey donkey',
  });
  await told('done: Welcome aboard.');
});

test('Start over returns the focus to the form, and a sent link moves it to the new heading', async () => {
  answer('POST /api/auth/login', { message: 'One more step.', ticket: 'ticket-1', passkey: false, code: true });
  const { unmount } = show(<SignInForm onSignedIn={() => {}} />);
  await type('Password', 'four grey donkeys');
  await press('Sign in');
  await press('Start over');
  expect(document.activeElement).toBe(await field('Email'));
  unmount();
  answer('POST /api/auth/forgot-password', { message: 'If the address is known, a link is on its way.' });
  show(<ForgottenScreen />);
  await press('Send link');
  expect(document.activeElement).toBe(await screen.findByRole('heading', { name: 'Check your email' }));
});

test('a reset link asks for no name and says what it ends', async () => {
  answer('POST /api/link/look', { purpose: 'reset', name: 'Omar', email: 'omar@example.com' });
  answer('POST /api/link/take', unreachable());
  show(<WelcomeScreen />, { pathname: '/welcome', hash: '#secret' });
  expect(await screen.findByRole('heading', { name: 'Set a new password' })).toBeDefined();
  expect(screen.getByText('It replaces the old one and ends all your sessions.')).toBeDefined();
  expect(screen.queryByLabelText('Name')).toBeNull();
  // what a password manager stores, and for whom
  const kept = [...document.querySelectorAll('input')].map((input) => [input.autocomplete, input.value]);
  expect(kept).toEqual([
    ['username', 'omar@example.com'],
    ['new-password', ''],
    ['new-password', ''],
  ]);
  await press('Set password');
  expect(await screen.findByText('Can’t reach the server.')).toBeDefined();
});

test('a dead link shows the server’s message and links to the sign-in', async () => {
  answer('POST /api/link/look', refusal({}, 'This link no longer works.'));
  show(<WelcomeScreen />, { pathname: '/welcome', hash: '#old' });
  expect(await screen.findByText('This link no longer works.')).toBeDefined();
  expect(screen.getByRole('link', { name: 'Go to sign-in' }).getAttribute('href')).toBe('/login');
  expect(screen.getByRole('heading', { name: 'Nothing to open here' })).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Retry' })).toBeNull();
});

test.each([
  ['is opened without a connection', unreachable()],
  ['a server at fault doesn’t open', new ApiFailure('refused', 'Can’t reach the server.')],
])('a link that %s is not called dead and can be tried again', async (_, failure) => {
  answer('POST /api/link/look', failure);
  show(<WelcomeScreen />, { pathname: '/welcome', hash: '#secret' });
  expect(await screen.findByText('Can’t reach the server.')).toBeDefined();
  expect(screen.getByRole('heading', { name: 'This link can’t be opened right now' })).toBeDefined();
  answer('POST /api/link/look', { purpose: 'invitation', name: 'Omar', email: 'omar@example.com' });
  await press('Retry');
  expect(await screen.findByRole('heading', { name: 'Welcome, Omar' })).toBeDefined();
});

test('opens a working link after a dead one in the same tab', async () => {
  answer('POST /api/link/look', refusal({}, 'This link does not work any more.'));
  render(
    <MemoryRouter initialEntries={['/welcome#old']}>
      <Link to="/welcome#new">The new link</Link>
      <WelcomeScreen />
    </MemoryRouter>,
  );
  await screen.findByText('This link does not work any more.');
  answer('POST /api/link/look', { purpose: 'invitation', name: 'Omar', email: 'omar@example.com' });
  await userEvent.click(screen.getByRole('link', { name: 'The new link' }));
  expect(await screen.findByRole('heading', { name: 'Welcome, Omar' })).toBeDefined();
  expect((await field('Name')).value).toBe('Omar');
});

test('reports a sent reset link, or what is wrong with the address', async () => {
  answer('POST /api/auth/forgot-password', refusal({ email: ['This is no address.'] }));
  show(<ForgottenScreen />);
  await type('Email', 'nadia');
  await press('Send link');
  expect(await screen.findByText('This is no address.')).toBeDefined();
  expect(document.querySelector('.form-failure')).toBeNull();
  expect((await field('Email')).getAttribute('aria-describedby')).toBe('email-error');
  answer('POST /api/auth/forgot-password', unreachable());
  await press('Send link');
  expect(await screen.findByText('Can’t reach the server.')).toBeDefined();
  expect(screen.queryByText('This is no address.')).toBeNull();
  answer('POST /api/auth/forgot-password', { message: 'A link is on its way.' });
  await press('Send link');
  expect(await screen.findByText('A link is on its way. The link works once, within an hour.')).toBeDefined();
  expect(sent('POST /api/auth/forgot-password').at(-1)).toEqual({ email: 'nadia' });
  expect(screen.getByRole('link', { name: 'Back to sign-in' }).getAttribute('href')).toBe('/login');
});

test('clears the form after a password change, and keeps it with the reason after a refusal', async () => {
  const call = 'POST /api/change-password';
  show(<PasswordScreen />);
  const labels = ['Previous password', 'New password', 'Confirm new password'];
  for (const [place, label] of labels.entries()) await type(label, `secret-${place}`);
  answer(call, refusal({ previous_password: ['This is not your password.'] }));
  await press('Change Password');
  expect(await screen.findByText('This is not your password.')).toBeDefined();
  expect(document.querySelector('.form-failure')).toBeNull();
  expect((await field('Previous password')).value).toBe('secret-0');
  const invalid = [];
  for (const label of labels) invalid.push((await field(label)).getAttribute('aria-invalid'));
  expect(invalid).toEqual(['true', 'false', 'false']);
  answer(call, { message: 'Password Changed Successfully' });
  await press('Change Password');
  await told('error: The given data was invalid.', 'done: Password Changed Successfully');
  for (const label of labels) expect((await field(label)).value).toBe('');
  expect([...(sent(call).at(-1) as FormData)]).toEqual([
    ['previous_password', 'secret-0'],
    ['new_password', 'secret-1'],
    ['new_password_confirmation', 'secret-2'],
  ]);
});

test('says that a password change needs a connection only while offline', async () => {
  show(<PasswordScreen />);
  const note = () => screen.queryByText(/^Changing a password needs a connection\./);
  expect(note()).toBeNull();
  act(() => useConnection.setState({ answers: false }));
  expect(note()).not.toBeNull();
  answer('POST /api/change-password', unreachable());
  await press('Change Password');
  expect(document.querySelector('.form-failure')?.textContent).toBe('Can’t reach the server.');
});

test('shows and hides a password', async () => {
  show(<SignInForm onSignedIn={() => {}} />);
  const input = await field('Password');
  // for password managers
  expect([(await field('Email')).autocomplete, input.autocomplete]).toEqual(['username', 'current-password']);
  expect(input.type).toBe('password');
  await press('Show');
  expect(input.type).toBe('text');
  expect(screen.getByRole('button', { name: 'Hide' }).getAttribute('aria-pressed')).toBe('true');
  await press('Hide');
  expect(input.type).toBe('password');
});

test('sends one sign-in at a time, and calls the connection slow after some seconds', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  answer('POST /api/auth/login', never);
  show(<SignInForm initialEmail={NADIA.email} onSignedIn={() => {}} />);
  const button = screen.getByRole('button', { name: 'Sign in' });
  fireEvent.click(button);
  expect(button.textContent).toBe('Signing in…');
  fireEvent.click(button);
  const slow = () => screen.queryByText('The connection is slow. Still trying…');
  act(() => void vi.advanceTimersByTime(7_900));
  expect(slow()).toBeNull();
  act(() => void vi.advanceTimersByTime(200));
  expect(slow()).not.toBeNull();
  vi.useRealTimers();
  await soon(() => expect(sent('POST /api/auth/login')).toHaveLength(1));
});

test('remembers a sign-in unless Remember is cleared, and reports its success', async () => {
  const done = vi.fn<() => void>();
  answer('POST /api/auth/login', { user: NADIA, token: 'token-2' });
  show(<SignInForm initialEmail={NADIA.email} onSignedIn={done} />);
  const remember = screen.getByRole<HTMLInputElement>('checkbox', { name: 'Remember' });
  expect(remember.checked).toBe(true);
  await userEvent.click(remember);
  await type('Password', 'secret');
  await press('Sign in');
  await soon(() => expect(done).toHaveBeenCalledOnce());
  expect(sent('POST /api/auth/login')).toEqual([expect.objectContaining({ email: NADIA.email, password: 'secret' })]);
  expect(localStorage.getItem('voltdesk.ends_with_browser')).toBe('1');
  expect(toasts().join()).toMatch(/^done: /);
});

test('shows a refusal above the form, or only below its field', async () => {
  answer('POST /api/auth/login', unreachable());
  show(<SignInForm onSignedIn={() => {}} />);
  await press('Sign in');
  await soon(() => expect(document.querySelector('.form-failure')?.textContent).toBe('Can’t reach the server.'));
  answer('POST /api/auth/login', refusal({ password: ['The password is missing.'] }));
  await press('Sign in');
  expect(await screen.findByText('The password is missing.')).toBeDefined();
  expect(document.querySelector('.form-failure')).toBeNull();
  const states = [await field('Email'), await field('Password')].map((input) => input.getAttribute('aria-invalid'));
  expect(states).toEqual(['false', 'true']);
  // while the next attempt runs, the last failure is hidden
  answer('POST /api/auth/login', new Promise(() => undefined));
  await press('Sign in');
  expect(screen.queryByText('The password is missing.')).toBeNull();
});

test('links to the installation’s page for forgotten passwords, or refers to another administrator', async () => {
  useSettings.setState({ forgotPasswordAddress: '' });
  show(<SignInForm onSignedIn={() => {}} />);
  fireEvent.click(screen.getByRole('link', { name: 'Forgot password' }));
  expect(toasts()).toEqual(['info: Another administrator can give you a new password.']);
  act(() => useSettings.setState({ forgotPasswordAddress: '/forgot-password' }));
  expect(screen.getByRole('link', { name: 'Forgot password' }).getAttribute('href')).toBe('/forgot-password');
  act(() => useSettings.setState({ forgotPasswordAddress: '' }));
});

const ASKED = { message: 'One more step.', ticket: 'ticket-1', passkey: false, code: true };

test('switches between app and recovery code with an empty field, and starts over', async () => {
  answer('POST /api/auth/login', ASKED);
  show(<SignInForm initialEmail={NADIA.email} onSignedIn={() => {}} />);
  await press('Sign in');
  expect(await screen.findByText('Password accepted. Now open your authenticator app.')).toBeDefined();
  const app = await field('Code from your authenticator app');
  expect([app.inputMode, app.autocomplete, app.maxLength]).toEqual(['numeric', 'one-time-code', 7]);
  const go = screen.getByRole('button', { name: 'Continue' });
  expect(go.getAttribute('aria-disabled')).toBe('true');
  await userEvent.type(app, ' {Enter}');
  await press('Continue');
  expect(sent('POST /api/auth/second-factor')).toEqual([]);
  await userEvent.clear(app);
  await type('Code from your authenticator app', '123 456');
  expect(go.getAttribute('aria-disabled')).toBe('false');
  await press('Use a recovery code');
  expect(screen.getByText('Enter one of your recovery codes. Each works once.')).toBeDefined();
  const paper = await field('Recovery code');
  expect([paper.value, paper.inputMode, paper.autocomplete, paper.maxLength]).toEqual(['', 'text', 'off', 24]);
  await press('Use the authenticator app');
  expect(await field('Code from your authenticator app')).toBeDefined();
  await press('Start over');
  expect((await field('Email')).value).toBe(NADIA.email);
});

test('asks only for a recovery code without an authenticator app', async () => {
  answer('POST /api/auth/login', { ...ASKED, code: false });
  show(<SignInForm onSignedIn={() => {}} />);
  await press('Sign in');
  expect(await field('Recovery code')).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Use the authenticator app' })).toBeNull();
});

test('sends one second step at a time, and shows why it failed', async () => {
  const call = 'POST /api/auth/second-factor';
  answer('POST /api/auth/login', ASKED);
  answer(call, unreachable());
  show(<SignInForm onSignedIn={() => {}} />);
  await press('Sign in');
  await type('Code from your authenticator app', '123456');
  await press('Continue');
  expect(await screen.findByText('Can’t reach the server.')).toBeDefined();
  answer(call, never);
  await press('Continue');
  expect((await screen.findByRole('button', { name: 'Checking…' })).getAttribute('aria-disabled')).toBe('true');
  await press('Checking…');
  expect(sent(call)).toHaveLength(2);
});

test('replaces the screens until a new password or a second factor is set', async () => {
  const leave = vi.fn<() => void>();
  useSession.setState({ user: { ...NADIA, owes: 'password' } });
  show(<OwedScreen onLogOut={leave} />);
  expect(screen.getByRole('heading', { name: 'Choose your own password' })).toBeDefined();
  expect(await field('Previous password')).toBeDefined();
  await press('Logout');
  expect(leave).toHaveBeenCalledOnce();
  act(() => useSession.setState({ user: { ...NADIA, owes: 'second-factor' } }));
  expect(screen.getByRole('heading', { name: 'Set up a second factor' })).toBeDefined();
  expect(within(screen.getByRole('main')).getByRole('button', { name: /^Use an authenticator app/ })).toBeDefined();
});
