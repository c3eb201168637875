import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router-dom';
import { afterEach, expect, test, vi } from 'vitest';
import NavDrawer from '../../src/app/shell/nav-drawer.tsx';

afterEach(cleanup);

test('the drawer stays open for its groups, and closes with a link, even to the current page', async () => {
  const close = vi.fn<() => void>();
  render(
    <MemoryRouter initialEntries={['/partner-all']}>
      <NavDrawer open onClose={close} />
    </MemoryRouter>,
  );
  await userEvent.click(screen.getByRole('button', { name: 'Generators' }));
  expect(close).not.toHaveBeenCalled();
  await userEvent.click(screen.getByRole('link', { name: 'All Partners' }));
  expect(close).toHaveBeenCalledOnce();
  await userEvent.click(screen.getByRole('link', { name: 'All Generators' }));
  expect(close).toHaveBeenCalledTimes(2);
});
