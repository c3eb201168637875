import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter, useNavigate } from 'react-router-dom';
import { beforeEach, expect, test } from 'vitest';
import Panels from '../../src/app/panels.tsx';
import { openPanel, usePanel } from '../../src/stores/panels.ts';
import { useSession } from '../../src/stores/session.ts';
import { show } from './open-screen.tsx';

beforeEach(() => openPanel(undefined));

const signedOut = () => useSession.setState({ ended: false, signInAsked: false }, true);
const dialog = () => screen.queryByRole('dialog');

test('the shortcut opens and closes Find, and is kept from the browser', async () => {
  show(<Panels />);
  expect(fireEvent.keyDown(document, { key: 'k', ctrlKey: true })).toBe(false);
  await screen.findByRole('dialog', { name: 'Find' });
  fireEvent.keyDown(document, { key: 'k', metaKey: true });
  await waitFor(() => expect(dialog()).toBeNull());
});

test('the shortcut works with capital letters', async () => {
  show(<Panels />);
  fireEvent.keyDown(document, { key: 'K', ctrlKey: true });
  expect(usePanel.getState().open).toBe('find');
});

test('a question mark that is typed into a field opens no Help', () => {
  show(
    <>
      <Panels />
      <input aria-label="Name" />
    </>,
  );
  fireEvent.keyDown(screen.getByLabelText('Name'), { key: '?' });
  expect(usePanel.getState().open).toBeUndefined();
  fireEvent.keyDown(document.body, { key: '?' });
  expect(usePanel.getState().open).toBe('help');
});

test('a key that was already handled opens nothing', () => {
  show(<Panels />);
  const taken = new KeyboardEvent('keydown', { key: '?', cancelable: true });
  taken.preventDefault();
  document.dispatchEvent(taken);
  fireEvent.keyDown(document, { key: 'k' });
  expect(usePanel.getState().open).toBeUndefined();
});

test('opens nothing while signed out, and closes open panels with the session', async () => {
  show(<Panels />);
  act(() => openPanel('help'));
  await screen.findByRole('dialog', { name: 'Help' });
  act(signedOut);
  expect(dialog()).toBeNull();
  act(() => openPanel(undefined));
  await userEvent.keyboard('?');
  expect(usePanel.getState().open).toBeUndefined();
});

test('what stood open when the session ended is not open for whoever signs in next', () => {
  const { user, token } = useSession.getState();
  show(<Panels />);
  act(() => openPanel('scan'));
  act(signedOut);
  act(() => useSession.setState({ user, token } as never));
  expect([usePanel.getState().open, dialog()]).toEqual([undefined, null]);
});

test('Back closes what is open, and going to a page with a panel open does not', async () => {
  const Moves = () => {
    const navigate = useNavigate();
    return (
      <>
        <button onClick={() => void navigate('/there')}>Go</button>
        <button onClick={() => void navigate(-1)}>Back</button>
      </>
    );
  };
  render(
    <MemoryRouter>
      <Moves />
      <Panels />
    </MemoryRouter>,
  );
  act(() => openPanel('help'));
  fireEvent.click(screen.getByText('Go'));
  await screen.findByRole('dialog', { name: 'Help' });
  fireEvent.click(screen.getByText('Back'));
  await waitFor(() => expect(dialog()).toBeNull());
  expect(usePanel.getState().open).toBeUndefined();
});

test.each([
  ['scan', 'Scan a code'],
  ['help', 'Help'],
  ['find', 'Find'],
] as const)('the panel %s opens as the dialog “%s”, which Escape closes', async (panel, name) => {
  show(<Panels />);
  act(() => openPanel(panel));
  await screen.findByRole('dialog', { name });
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(dialog()).toBeNull());
  expect(usePanel.getState().open).toBeUndefined();
});

test('Help explains each status and shortcut, scrolls by keyboard, and closes by its button', async () => {
  show(<Panels />);
  act(() => openPanel('help'));
  await screen.findByRole('dialog', { name: 'Help' });
  const terms = screen.getAllByRole('term').map(({ textContent }) => textContent);
  expect(terms).toEqual([
    'Online',
    'Offline · 3 waiting',
    'Sending 1 of 3 · 34%',
    '2 need attention',
    'Sign in to send',
    'Ctrl K, ⌘ K',
    'Ctrl S, ⌘ S',
    '/',
    '?',
    'Esc',
  ]);
  const [online] = screen.getAllByRole('definition');
  expect(online?.textContent).toBe('The server can be reached and all changes are sent.');
  expect(
    screen
      .getAllByRole('definition')
      .slice(-2)
      .map(({ textContent }) => textContent),
  ).toEqual(['Show this help', 'Close the open window']);
  expect(screen.getByRole('heading', { name: 'Saving' }).parentElement?.tabIndex).toBe(0);
  await userEvent.click(screen.getByRole('button', { name: 'Close' }));
  await waitFor(() => expect(dialog()).toBeNull());
});
