import { cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Link, MemoryRouter } from 'react-router-dom';
import { afterEach, expect, test, vi } from 'vitest';
import { Navigation } from '../../src/app/shell/navigation.tsx';
import { usePanel } from '../../src/stores/panels.ts';

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  usePanel.setState({ open: undefined, query: '' });
});

/** The sidebar from 100 to 500 px, whose entry of the shown page begins at that place and is 40 px high. */
function openAt(top: number) {
  vi.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(function box(this: Element) {
    return this.matches('nav') ? new DOMRect(0, 100, 268, 400) : new DOMRect(0, top, 268, 40);
  });
  render(
    <MemoryRouter initialEntries={['/cert-all']}>
      <Navigation />
    </MemoryRouter>,
  );
  const scroller = screen.getByRole('navigation', { name: 'Navigation' });
  scroller.scrollTop = 200;
  return scroller;
}

test.each([
  ['below', 600, 364],
  ['half below', 470, 234],
  ['above', 20, 96],
  ['half above', 90, 166],
])('scrolls to the entry of the current page that lies %s, with space beside it', async (_, top, scrolled) => {
  const scroller = openAt(top);
  await waitFor(() => expect(scroller.scrollTop).toBe(scrolled));
});

test('does not scroll to a visible entry', async () => {
  const scroller = openAt(250);
  await new Promise(requestAnimationFrame);
  await new Promise(requestAnimationFrame);
  expect(scroller.scrollTop).toBe(200);
});

test('is a landmark with the navigation inside', () => {
  const scroller = openAt(250);
  expect(screen.getByRole('complementary', { name: 'Sidebar' }).contains(scroller)).toBe(true);
});

test('the sidebar opens Find, and shows its shortcut', async () => {
  openAt(250);
  const find = screen.getByRole('button', { name: 'Find' });
  expect([find.textContent, find.getAttribute('aria-keyshortcuts')]).toEqual(['FindCtrl K', 'Control+K Meta+K']);
  await userEvent.click(find);
  expect(usePanel.getState().open).toBe('find');
});

test('an open group names the list it controls, and is marked when it contains the current page', async () => {
  openAt(250);
  const group = screen.getByRole('button', { name: 'Certifications' });
  expect(group.dataset['here']).toBe('true');
  const list = document.getElementById(group.getAttribute('aria-controls') ?? '');
  expect(list).toBe(screen.getByRole('list', { name: 'Certifications' }));
  await userEvent.click(group);
  expect(group.hasAttribute('aria-controls')).toBe(false);
  expect(screen.getByRole('button', { name: 'Partners' }).dataset['here']).toBe('false');
});

test('a group that was closed on one of its pages is open on the next', async () => {
  render(
    <MemoryRouter initialEntries={['/cert-all']}>
      <Navigation />
      <Link to="/cert-create">Next</Link>
    </MemoryRouter>,
  );
  const group = screen.getByRole('button', { name: 'Certifications' });
  await userEvent.click(group);
  expect(group.getAttribute('aria-expanded')).toBe('false');
  await userEvent.click(screen.getByRole('link', { name: 'Next' }));
  expect(group.getAttribute('aria-expanded')).toBe('true');
});
