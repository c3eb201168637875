import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router-dom';
import { afterEach, expect, test, vi } from 'vitest';
import { Rail } from '../../src/app/shell/rail.tsx';
import { usePanel } from '../../src/stores/panels.ts';

afterEach(cleanup);

/** Shows the navigation of a tablet on this page. */
function show(page: string) {
  const onOpen = vi.fn<() => void>();
  render(
    <MemoryRouter initialEntries={[page]}>
      <Rail onOpen={onOpen} />
    </MemoryRouter>,
  );
  return onOpen;
}

test.each([
  ['/', 'Dashboard'],
  ['/generator-all', 'Generators'],
  ['/generator-edit/7', 'Generators'],
  ['/sete-meta-update', 'Site meta'],
  ['/outbox', undefined],
])('on %s it marks only the entry of that page', (page, name) => {
  show(page);
  const current = screen.getAllByRole('link').filter((link) => link.getAttribute('aria-current') === 'page');
  expect(current.map(({ textContent }) => textContent)).toEqual(name === undefined ? [] : [name]);
});

test('names its buttons by what they open: the navigation, as a dialog, and Find', async () => {
  const onOpen = show('/');
  const navigation = screen.getByRole('button', { name: 'Navigation' });
  expect(navigation.getAttribute('aria-haspopup')).toBe('dialog');
  await userEvent.click(navigation);
  expect(onOpen).toHaveBeenCalledOnce();
  usePanel.setState({ open: undefined });
  await userEvent.click(screen.getByRole('button', { name: 'Find' }));
  expect(usePanel.getState().open).toBe('find');
  usePanel.setState({ open: undefined });
});
