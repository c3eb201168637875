import { ThemeProvider } from '@mui/material/styles';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { RequireUser } from '../../src/app/require-user.tsx';
import { SessionWatch } from '../../src/app/session-watch.tsx';
import { AccountMenu } from '../../src/app/shell/account-menu.tsx';
import { StatusChip } from '../../src/app/shell/status-chip.tsx';
import { theme } from '../../src/app/theme/theme.ts';
import UpdatePrompt from '../../src/app/update-prompt.tsx';
import { applyUpdate } from '../../src/api/worker-bridge.ts';
import { noteUpdate } from '../../src/stores/app-update.ts';
import { useConnection } from '../../src/stores/connection.ts';
import { openPanel, usePanel } from '../../src/stores/panels.ts';
import { useSession } from '../../src/stores/session.ts';
import { setUnsaved } from '../../src/stores/unsaved.ts';
import { colour } from '../../src/ui/tokens.ts';
import { answer, NADIA, press, sent, show, told, unreachable } from './open-screen.tsx';

vi.mock('../../src/api/worker-bridge.ts', { spy: true });

beforeEach(() => {
  vi.mocked(applyUpdate).mockReset();
  noteUpdate('none');
});

const card = () => screen.queryByRole('region', { name: 'New version' });

test('offers a new version, hides it on Later, and offers it again when another tab has applied it', async () => {
  show(<UpdatePrompt />);
  expect(card()).toBeNull();
  act(() => noteUpdate('waiting'));
  expect(card()?.textContent).toContain('It takes a second. Everything you saved stays as it is.');
  await press('Update');
  expect(applyUpdate).toHaveBeenCalledOnce();
  await press('Later');
  expect(card()).toBeNull();
  act(() => noteUpdate('taken'));
  expect(screen.getByRole('button', { name: 'Update' })).toBeDefined();
  await press('Later');
  expect(card()).toBeNull();
});

test('says that a version is being applied, without any button', () => {
  noteUpdate('taking');
  show(<UpdatePrompt />);
  expect(card()?.textContent).toBe('Updating…The change being sent is finished first.');
  expect(screen.queryByRole('button')).toBeNull();
});

test('disables the update while a form is unsaved', () => {
  noteUpdate('waiting');
  setUnsaved('form', true);
  show(<UpdatePrompt />);
  const update = screen.getByRole<HTMLButtonElement>('button', { name: 'Update' });
  expect(update.disabled).toBe(true);
  expect(card()?.textContent).toContain('Save your work first, then update.');
  act(() => setUnsaved('form', false));
  expect(update.disabled).toBe(false);
});

test.each([
  ['Anna Berg', 'AB'],
  ['Anna Lund', 'AL'],
  ['anna', 'A'],
])('the avatar in the top bar has the initials of %s, as elsewhere', (name, letters) => {
  const { container } = show(<AccountMenu name={name} compact={false} onLogOut={() => {}} />);
  expect(container.querySelector('button > [aria-hidden]')?.textContent).toBe(letters);
});

test('opens and closes the account menu by button, Escape and a press elsewhere, and focuses it', async () => {
  show(<AccountMenu name=" nadia" compact={false} onLogOut={() => {}} />);
  const opener = screen.getByRole('button', { name: /nadia/ });
  expect(opener.textContent).toContain('N');
  const menu = () => screen.queryByRole('region', { name: 'Account' });
  expect([opener.getAttribute('aria-expanded'), menu()]).toEqual(['false', null]);
  fireEvent.click(opener);
  await waitFor(() => expect(document.activeElement).toBe(menu()));
  expect(opener.getAttribute('aria-expanded')).toBe('true');
  fireEvent.keyDown(document.body, { key: 'Escape' });
  expect(menu()).toBeNull();
  expect(document.activeElement).toBe(opener);
  fireEvent.click(opener);
  fireEvent.pointerDown(menu() ?? opener);
  expect(menu()).not.toBeNull();
  fireEvent.pointerDown(document.body);
  expect(menu()).toBeNull();
  fireEvent.click(opener);
  fireEvent.click(opener);
  expect(menu()).toBeNull();
});

test('closes the account menu when the focus leaves it, but not for a press inside', async () => {
  show(
    <>
      <AccountMenu name="Nadia" compact={false} onLogOut={() => {}} />
      <button type="button">Elsewhere</button>
    </>,
  );
  const opener = screen.getByRole('button', { name: /Nadia/ });
  const menu = () => screen.queryByRole('region', { name: 'Account' });
  fireEvent.click(opener);
  await waitFor(() => expect(document.activeElement).toBe(menu()));
  act(() => opener.focus());
  expect(menu()).not.toBeNull();
  act(() => screen.getByRole('button', { name: 'Elsewhere' }).focus());
  expect(menu()).toBeNull();
});

test('a choice in the account’s menu closes it', async () => {
  show(
    <ThemeProvider theme={theme}>
      <AccountMenu name="Nadia" compact={false} onLogOut={() => {}} />
    </ThemeProvider>,
  );
  await press(/Nadia/);
  await press('Help');
  expect(screen.queryByRole('region', { name: 'Account' })).toBeNull();
  expect(usePanel.getState().open).toBe('help');
  act(() => openPanel(undefined));
});

test('links the status to the outbox, and shows it in words and colour', () => {
  show(<StatusChip />);
  const chip = () => screen.getByRole('link');
  expect(chip().getAttribute('href')).toBe('/outbox');
  const tone = () => chip().style.getPropertyValue('--tone');
  expect([chip().textContent, chip().dataset['tone'], chip().title]).toEqual(['Online', 'good', 'Online']);
  expect(tone()).toBe(colour.good);
  act(() => useConnection.setState({ answers: false }));
  expect([chip().textContent, chip().dataset['tone']]).toEqual(['Offline', 'offline']);
  expect(tone()).toBe(colour.caution);
});

test('requests the user of an unknown token, and can retry after a failure', async () => {
  useSession.setState({ token: 'token-1', ended: false, signInAsked: false }, true);
  answer('GET /api/user', unreachable());
  show(
    <RequireUser>
      <p>The screen</p>
    </RequireUser>,
  );
  expect(await screen.findByText('Can’t reach the server.')).toBeDefined();
  expect(screen.queryByText('The screen')).toBeNull();
  answer('GET /api/user', NADIA);
  await press('Retry');
  expect(await screen.findByText('The screen')).toBeDefined();
  expect(sent('GET /api/user')).toHaveLength(2);
});

test('shows no screen without a sign-in, and keeps the requested address', () => {
  useSession.setState({ ended: false, signInAsked: false }, true);
  show(
    <RequireUser>
      <p>The screen</p>
    </RequireUser>,
    { pathname: '/generator-all', search: '?q=20' },
  );
  expect(screen.getByText('went to /login with {"from":"/generator-all?q=20"}')).toBeDefined();
});

test('leads to the sign-in when the session ends, says so, and keeps the address', async () => {
  show(<SessionWatch />, { pathname: '/generator-all', search: '?q=20' });
  expect(screen.queryByText(/^went to/)).toBeNull();
  act(() => useSession.setState({ ended: true }));
  expect(await screen.findByText('went to /login with {"from":"/generator-all?q=20"}')).toBeDefined();
  await told('info: Your session has ended. Please sign in again.');
  expect(useSession.getState().token).toBeUndefined();
});

test('shows a requested sign-in over the screen, and Later closes it', async () => {
  show(<SessionWatch />);
  act(() => useSession.setState({ signInAsked: true }));
  await screen.findByRole('dialog', { name: 'Sign in to continue' });
  expect(screen.getByText(/^Your session has ended\. Nothing on this page is lost/)).toBeDefined();
  await press('Later');
  expect(useSession.getState()).toMatchObject({ signInAsked: false, token: 'token-1' });
  expect(useSession.getState().putOff).toBeUndefined();
  act(() => setUnsaved('form', true));
  act(() => useSession.setState({ ended: true }));
  await screen.findByRole('dialog', { name: 'Sign in to continue' });
  await press('Later');
  expect(useSession.getState()).toMatchObject({ signInAsked: false, putOff: true });
  act(() => setUnsaved('form', false));
});
