import { ThemeProvider } from '@mui/material/styles';
import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { MemoryRouter, useLocation, useNavigate } from 'react-router-dom';
import { afterEach, expect, test, vi } from 'vitest';
import { Shell } from '../../src/app/shell/shell.tsx';
import { theme } from '../../src/app/theme/theme.ts';
import { WindowColour } from '../../src/app/theme/window-colour.ts';
import { noteStorage } from '../../src/stores/storage-health.ts';
import { keepSettings } from '../../src/stores/settings.ts';
import { press } from './open-screen.tsx';

/** The frame around the screens, at the widths of a phone, a tablet and a desktop. */

let width = 0;
const listeners = new Set<() => void>();

function stubWidth(pixels: number): void {
  width = pixels;
  vi.stubGlobal('matchMedia', (query: string) => ({
    get matches() {
      const [, most] = /max-width: ([\d.]+)px/.exec(query) ?? [];
      const [, least] = /min-width: ([\d.]+)px/.exec(query) ?? [];
      if (most === undefined && least === undefined) return false;
      return width <= Number(most ?? Infinity) && width >= Number(least ?? 0);
    },
    addEventListener: (_: 'change', listener: () => void) => listeners.add(listener),
    removeEventListener: (_: 'change', listener: () => void) => listeners.delete(listener),
    addListener: () => {},
    removeListener: () => {},
  }));
}

/** Changes the width of the window while the page is open. */
const resize = (pixels: number) =>
  act(() => {
    width = pixels;
    for (const listener of listeners) listener();
  });

afterEach(() => vi.unstubAllGlobals());

function Screen() {
  const { pathname, hash } = useLocation();
  const navigate = useNavigate();
  return (
    <>
      <p>{`at ${pathname}${hash}`}</p>
      <button type="button" onClick={() => void navigate(-1)}>
        Back
      </button>
      <button type="button" onClick={() => void navigate(1)}>
        Forward
      </button>
    </>
  );
}

function openAt(pixels: number) {
  stubWidth(pixels);
  render(
    <ThemeProvider theme={theme} defaultMode="system" modeStorageKey="voltdesk.appearance" noSsr>
      <MemoryRouter initialEntries={['/about', '/outbox']} initialIndex={1}>
        <WindowColour />
        <Shell>
          <Screen />
        </Shell>
      </MemoryRouter>
    </ThemeProvider>,
  );
}

const drawer = () => screen.queryByRole('dialog');
const bar = () => within(screen.getByRole('banner'));

test('Skip to content is the first link, and moves the focus to the content without changing the address', () => {
  openAt(1280);
  const [skip] = screen.getAllByRole('link');
  expect(skip?.textContent).toBe('Skip to content');
  expect(fireEvent.click(skip ?? document.body)).toBe(false);
  expect(document.activeElement).toBe(screen.getByRole('main'));
  expect(screen.getByText('at /outbox')).toBeDefined();
});

test('a desktop has the sidebar, and the account’s links in the top bar', async () => {
  keepSettings({ companyLabel: 'Sunrise Power Ltd' });
  openAt(1280);
  expect(screen.getByRole('complementary', { name: 'Sidebar' })).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Navigation' })).toBeNull();
  expect(bar().getByText('Sunrise Power Ltd')).toBeDefined();
  expect(bar().getByRole('link', { name: 'Change Password' }).getAttribute('href')).toBe('/pass-change');
  expect(bar().getByRole('button', { name: 'Logout' })).toBeDefined();
  await press(/Nadia Rahman/);
  await screen.findByRole('link', { name: 'Preferences' });
  expect(screen.getAllByRole('link', { name: 'Change Password' })).toHaveLength(1);
  keepSettings({});
});

test('a tablet has the rail, which opens the full navigation, and no second button for it', async () => {
  openAt(1000);
  expect(screen.queryByRole('complementary', { name: 'Sidebar' })).toBeNull();
  expect(bar().queryByRole('button', { name: 'Navigation' })).toBeNull();
  await press('Navigation');
  expect(await screen.findByRole('dialog', { name: 'Navigation' })).toBeDefined();
});

test('a phone has a button for the navigation in the top bar, and the account’s links in its menu', async () => {
  openAt(390);
  expect(screen.queryByRole('navigation')).toBeNull();
  expect(bar().queryByRole('button', { name: 'Logout' })).toBeNull();
  await press(/Nadia Rahman/);
  expect(await bar().findByRole('link', { name: 'Change Password' })).toBeDefined();
  expect(bar().getByRole('button', { name: 'Logout' })).toBeDefined();
  fireEvent.click(bar().getByRole('button', { name: 'Navigation' }));
  expect(await screen.findByRole('dialog', { name: 'Navigation' })).toBeDefined();
});

test('a link of the drawer closes it', async () => {
  openAt(390);
  await press('Navigation');
  await screen.findByRole('dialog');
  fireEvent.click(screen.getByRole('link', { name: 'Site meta' }));
  await waitFor(() => expect(drawer()).toBeNull());
  expect(screen.getByText('at /sete-meta-update')).toBeDefined();
});

test('closes the drawer on Back to another page, and keeps it closed on Forward', async () => {
  openAt(390);
  await press('Navigation');
  await screen.findByRole('dialog');
  fireEvent.click(screen.getByText('Back'));
  await waitFor(() => expect(drawer()).toBeNull());
  expect(screen.getByText('at /about')).toBeDefined();
  await press('Forward');
  expect(screen.getByText('at /outbox')).toBeDefined();
  expect(drawer()).toBeNull();
});

test('the drawer makes way for the sidebar when the window becomes wide enough', async () => {
  openAt(1000);
  await press('Navigation');
  await screen.findByRole('dialog');
  resize(1280);
  await waitFor(() => expect(drawer()).toBeNull());
  expect(screen.getByRole('complementary', { name: 'Sidebar' })).toBeDefined();
});

test('storage that does not respond is reported on every screen', () => {
  openAt(1280);
  act(() => noteStorage(true));
  expect(screen.getByText('This device’s storage isn’t responding.')).toBeDefined();
  act(() => noteStorage(false));
});

test('the browser’s window frame takes the colour of the chosen appearance', async () => {
  const metas = ['light', 'dark'].map((scheme) => {
    const meta = document.createElement('meta');
    meta.name = 'theme-color';
    meta.media = `(prefers-color-scheme: ${scheme})`;
    return document.head.appendChild(meta);
  });
  openAt(1280);
  await press(/Nadia Rahman/);
  fireEvent.click(await screen.findByRole('radio', { name: 'Dark' }));
  expect(metas.map(({ content }) => content)).toEqual(['#122024', '#122024']);
  fireEvent.click(screen.getByRole('radio', { name: 'Light' }));
  expect(metas.map(({ content }) => content)).toEqual(['#ffffff', '#ffffff']);
  for (const meta of metas) meta.remove();
});
