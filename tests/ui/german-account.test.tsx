import { act, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ApiFailure } from '../../src/api/failure.ts';
import HelpDialog from '../../src/app/help/help-dialog.tsx';
import PeopleScreen from '../../src/features/account/people-screen.tsx';
import OwedScreen from '../../src/features/auth/owed-screen.tsx';
import PasswordScreen from '../../src/features/auth/password-screen.tsx';
import SignInDialog from '../../src/features/auth/sign-in-dialog.tsx';
import { SignInForm } from '../../src/features/auth/sign-in-form.tsx';
import WelcomeScreen from '../../src/features/auth/welcome-screen.tsx';
import { catalogue as german } from '../../src/language/de.ts';
import { speak } from '../../src/language/t.ts';
import { useSession } from '../../src/stores/session.ts';
import { answer, answerQuestion, NADIA, press, show } from './open-screen.tsx';

/** The texts of the sign-in and the account are in German like everything around them. */

beforeEach(() => speak(german));
afterEach(() => speak(undefined));

const BUSY = 'Too many people are signing in at this moment. Please try again in 5 seconds.';
const BUSY_IN_GERMAN = 'Gerade melden sich zu viele an. Bitte versuchen Sie es in 5 Sekunden erneut.';
const busy = () => new ApiFailure('refused', BUSY);
const ENDED = 'Your session has ended. Nothing on this page is lost, and what you saved is safe on this device.';
const WHY = 'Sign in again to change how people sign in. You won’t be asked again for 15 minutes.';

test('asks in German for a required password or second factor', () => {
  useSession.setState({ user: { ...NADIA, owes: 'password' } });
  show(<OwedScreen onLogOut={() => {}} />);
  const said = () => [screen.getByRole('heading').textContent, screen.getByRole('main').textContent];
  const [password, whole] = said();
  expect(password).toBe(german.sentence('Choose your own password'));
  expect(whole).not.toContain('The one you signed in with');
  act(() => useSession.setState({ user: { ...NADIA, owes: 'second-factor' } }));
  const [factor, all] = said();
  expect(factor).toBe(german.sentence('Set up a second factor'));
  expect(all).not.toContain('It is required here');
});

test('the sign-in dialog explains itself in German', () => {
  show(<SignInDialog onClose={() => {}} />);
  expect(screen.getByText(german.sentence(ENDED) ?? '')).toBeDefined();
});

test('a fresh sign-in explains itself in German', async () => {
  answer('GET /api/people', { people: [NADIA], invitations: [], secondFactorRequired: false });
  answer('POST /api/people/second-factor', new ApiFailure('sign-in-again', 'Sign in again to change this.'));
  show(<PeopleScreen />);
  await press(german.message('Require it for everyone') ?? '');
  await answerQuestion(
    german.message('Require a second factor for everyone?') ?? '',
    german.message('Require it') ?? '',
  );
  expect(await within(await screen.findByRole('dialog')).findByText(german.sentence(WHY) ?? '')).toBeDefined();
});

test.each([
  ['the sign-in', 'Sign in', 'POST /api/auth/login', () => <SignInForm onSignedIn={() => {}} />],
  ['a change of the password', 'Change Password', 'POST /api/change-password', () => <PasswordScreen />],
])('shows in German why %s failed', async (_, name, call, element) => {
  answer(call, busy());
  show(element());
  await press(german.message(name) ?? '');
  expect(await screen.findByText(BUSY_IN_GERMAN)).toBeDefined();
});

test('reports a page that cannot be loaded and a dead link in German', async () => {
  answer('GET /api/people', busy());
  const { unmount } = show(<PeopleScreen />);
  expect(await screen.findByText(BUSY_IN_GERMAN)).toBeDefined();
  unmount();
  answer('POST /api/link/look', new ApiFailure('missing', 'This link no longer works. Ask for a new one.'));
  show(<WelcomeScreen />, { pathname: '/welcome', hash: '#old' });
  expect(await screen.findByText('Dieser Link gilt nicht mehr. Fordern Sie einen neuen an.')).toBeDefined();
});

test('the help explains status texts and keys in German', () => {
  show(<HelpDialog onClose={() => {}} />);
  const [status, keys] = [...document.querySelectorAll('dl')].map((list) =>
    [...list.querySelectorAll('dt, dd')].map(({ textContent }) => textContent),
  );
  expect(status).toContain(german.message('Offline · 3 waiting'));
  expect(status).toContain('2 zu klären');
  expect(status).toContain(german.message('The server can be reached and all changes are sent.'));
  expect(keys?.slice(0, 2)).toEqual(['Strg K, ⌘ K', german.message('Find records, pages and actions')]);
  expect([keys?.includes('Show this help'), keys?.includes(german.message('Show this help') ?? '')]).toEqual([
    false,
    true,
  ]);
});
