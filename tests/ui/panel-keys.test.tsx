import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import Panels from '../../src/app/panels.tsx';
import { openPanel, usePanel } from '../../src/stores/panels.ts';
import { useSession } from '../../src/stores/session.ts';
import { show } from './open-screen.tsx';

beforeEach(() => openPanel(undefined));

const signedOut = () => useSession.setState({ ended: false, signInAsked: false }, true);
const dialog = () => screen.queryByRole('dialog');

test('the key opens Find, closes it again, and is kept from the browser', async () => {
  show(<Panels />);
  expect(fireEvent.keyDown(document, { key: 'k', ctrlKey: true })).toBe(false);
  await screen.findByRole('dialog', { name: 'Find' });
  fireEvent.keyDown(document, { key: 'k', metaKey: true });
  await waitFor(() => expect(dialog()).toBeNull());
});

test('capitals are the same key', async () => {
  show(<Panels />);
  fireEvent.keyDown(document, { key: 'K', ctrlKey: true });
  expect(usePanel.getState().open).toBe('find');
});

test('a key that something else has taken opens nothing', () => {
  show(<Panels />);
  const taken = new KeyboardEvent('keydown', { key: '?', cancelable: true });
  taken.preventDefault();
  document.dispatchEvent(taken);
  fireEvent.keyDown(document, { key: 'k' });
  expect(usePanel.getState().open).toBeUndefined();
});

test('nobody who is not signed in opens anything, and what stood open goes with the session', async () => {
  show(<Panels />);
  act(() => openPanel('help'));
  await screen.findByRole('dialog', { name: 'Help' });
  act(signedOut);
  expect(dialog()).toBeNull();
  act(() => openPanel(undefined));
  await userEvent.keyboard('?');
  expect(usePanel.getState().open).toBeUndefined();
});
