import 'fake-indexeddb/auto';
import { act, cleanup, render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { LateParts } from '../../src/app/late-parts.tsx';
import { prefetchScreens } from '../../src/app/screens.tsx';
import { noteUpdate } from '../../src/stores/app-update.ts';
import { notify } from '../../src/stores/notifications.ts';
import { openPanel } from '../../src/stores/panels.ts';
import { useSession } from '../../src/stores/session.ts';
import { whenIdle } from '../../src/ui/when-idle.ts';

vi.mock('../../src/app/screens.tsx', () => ({ prefetchScreens: vi.fn() }));
vi.mock('../../src/ui/when-idle.ts', () => ({ whenIdle: vi.fn() }));

const callOff = vi.fn();
let comeToRest = () => {};

beforeEach(() => {
  useSession.setState({ user: { id: 7, name: 'Nadia Rahman' }, token: 'token-1' });
  vi.mocked(prefetchScreens)
    .mockReset()
    .mockReturnValue(new Promise(() => {}));
  vi.mocked(whenIdle)
    .mockReset()
    .mockImplementation((work) => {
      comeToRest = work;
      return callOff;
    });
});
afterEach(async () => {
  openPanel(undefined);
  noteUpdate('none');
  cleanup();
  await vi.dynamicImportSettled();
});

const open = () =>
  render(
    <MemoryRouter>
      <LateParts />
    </MemoryRouter>,
  );

test('shows toasts, panels and the update prompt once the page is idle, before the screens’ code', async () => {
  open();
  notify('Saved', { kind: 'success' });
  openPanel('help');
  noteUpdate('waiting');
  expect(screen.queryByRole('region', { name: 'New version', hidden: true })).toBeNull();
  act(() => comeToRest());
  expect(await screen.findByRole('dialog', { name: 'Help' })).toBeDefined();
  expect(await screen.findByText('Saved')).toBeDefined();
  expect(await screen.findByRole('region', { name: 'New version', hidden: true })).toBeDefined();
  expect(prefetchScreens).toHaveBeenCalledOnce();
});

test('still shows panels when the code of the screens cannot be prefetched', async () => {
  vi.mocked(prefetchScreens).mockRejectedValue(new TypeError('Failed to fetch dynamically imported module'));
  open();
  act(() => comeToRest());
  act(() => openPanel('help'));
  expect(await screen.findByRole('dialog', { name: 'Help' })).toBeDefined();
});

test('a page that is left before it is idle fetches nothing', () => {
  open().unmount();
  expect(callOff).toHaveBeenCalledOnce();
  expect(prefetchScreens).not.toHaveBeenCalled();
});
