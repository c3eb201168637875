import { act, render, screen } from '@testing-library/react';
import type { ReactNode } from 'react';
import { matchPath, MemoryRouter } from 'react-router-dom';
import { afterEach, expect, test, vi } from 'vitest';
import { ErrorBoundary } from '../../src/app/error-boundary.tsx';
import { RequireUser } from '../../src/app/require-user.tsx';
import { loadFirstScreen, LoginScreen, OPEN_SCREENS, prefetchScreens, SCREENS } from '../../src/app/screens.tsx';
import { SessionWatch } from '../../src/app/session-watch.tsx';
import { StatusChip } from '../../src/app/shell/status-chip.tsx';
import { useStatus } from '../../src/app/shell/use-status.ts';
import { useSession } from '../../src/stores/session.ts';
import { NADIA, show } from './open-screen.tsx';

vi.mock('../../src/app/shell/use-status.ts', { spy: true });

afterEach(() => window.history.replaceState(null, '', '/'));

const signedOut = () => useSession.setState({ ended: false, signInAsked: false }, true);
const screenAt = (address: string) => [...OPEN_SCREENS, ...SCREENS].find(({ path }) => matchPath(path, address));

test.each([
  ['/partner-edit/7?from=find', true, '/partner-edit/7'],
  ['/outbox', true, '/outbox'],
  ['/no-such-page', true, '/no-such-page'],
  ['/welcome', false, '/welcome'],
  ['/forgot-password', false, '/forgot-password'],
])('the code of %s is fetched before the first paint', async (address, signedIn, path) => {
  if (!signedIn) signedOut();
  const own = screenAt(path);
  if (own === undefined) throw new Error(`No screen at ${path}.`);
  const load = vi.spyOn(own, 'load').mockResolvedValue(undefined);
  const login = vi.spyOn(LoginScreen, 'load').mockResolvedValue(undefined);
  window.history.replaceState(null, '', address);
  await loadFirstScreen();
  expect(load).toHaveBeenCalledOnce();
  expect(login).not.toHaveBeenCalled();
});

test('fetches the code of the sign-in, not of the address, when signed out', async () => {
  signedOut();
  const own = screenAt('/outbox');
  const load = own === undefined ? undefined : vi.spyOn(own, 'load').mockResolvedValue(undefined);
  const login = vi.spyOn(LoginScreen, 'load').mockResolvedValue(undefined);
  window.history.replaceState(null, '', '/outbox');
  await loadFirstScreen();
  expect(login).toHaveBeenCalledOnce();
  expect(load).not.toHaveBeenCalled();
});

test('an idle page prefetches the code of every screen behind the sign-in, and of the sign-in itself', async () => {
  const loads = [...SCREENS, LoginScreen].map((one) => vi.spyOn(one, 'load').mockResolvedValue(undefined));
  await prefetchScreens();
  expect(loads.filter((load) => load.mock.calls.length !== 1)).toEqual([]);
});

test('prefetches the code of the screen itself', () => {
  const others = [...OPEN_SCREENS, ...SCREENS].filter(({ element, load }) => {
    const { load: own } = element.type as { load?: unknown };
    return own !== load;
  });
  expect(others.map(({ path }) => path)).toEqual([]);
});

test('gives the list and forms of each kind their own key, so nothing carries over to another kind', () => {
  for (const address of ['-all', '-create', '-edit/7']) {
    const keys = ['generator', 'sp', 'partner', 'project'].map((kind) => screenAt(`/${kind}${address}`)?.element.key);
    expect(new Set(keys.filter((key) => key !== null)).size, address).toBe(keys.length);
  }
});

test('keeps the search of an address on the way to the sign-in', () => {
  signedOut();
  show(
    <RequireUser>
      <p>The screen</p>
    </RequireUser>,
    { pathname: '/partner-all', search: '?search=acme' } as never,
  );
  expect(screen.getByText('went to /login with {"from":"/partner-all?search=acme"}')).toBeDefined();
});

test('keeps the search when the session ends, too', async () => {
  show(<SessionWatch />, { pathname: '/partner-all', search: '?search=acme' } as never);
  act(() => useSession.setState({ ended: true }));
  expect(await screen.findByText('went to /login with {"from":"/partner-all?search=acme"}')).toBeDefined();
});

test('shows only the password form to a user who must set their own password', async () => {
  useSession.setState({ user: { ...NADIA, owes: 'password' } });
  show(
    <RequireUser>
      <p>The screen</p>
    </RequireUser>,
  );
  expect(await screen.findByText('Choose your own password')).toBeDefined();
  expect(screen.queryByText('The screen')).toBeNull();
});

test('shows the share of sent bytes, but does not announce it', () => {
  vi.mocked(useStatus).mockReturnValue({ tone: 'busy', words: 'Sending 1 of 3 · 34%' });
  show(<StatusChip />);
  const chip = screen.getByRole('link');
  expect(chip.textContent).toBe('Sending 1 of 3 · 34%');
  expect(chip.querySelector('[aria-live]')?.textContent).toBe('Sending 1 of 3');
});

test('shows the next screen after a failed one once the address changes', () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  const Failing = () => {
    throw new TypeError('Boom');
  };
  const at = (address: string, content: ReactNode) => (
    <MemoryRouter>
      <ErrorBoundary occasion={address}>{content}</ErrorBoundary>
    </MemoryRouter>
  );
  const { rerender } = render(at('/partner-all', <Failing />));
  expect(screen.getByText('Something went wrong.')).toBeDefined();
  rerender(at('/outbox', <p>The outbox</p>));
  expect(screen.getByText('The outbox')).toBeDefined();
});
