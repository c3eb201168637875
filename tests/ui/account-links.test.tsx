import { act, fireEvent, render, screen } from '@testing-library/react';
import { ThemeProvider } from '@mui/material/styles';
import { Link, MemoryRouter, Route, Routes } from 'react-router-dom';
import { afterEach, expect, test, vi } from 'vitest';
import AccountLinks from '../../src/app/shell/account-links.tsx';
import { Brand } from '../../src/app/shell/brand.tsx';
import NavDrawer from '../../src/app/shell/nav-drawer.tsx';
import { NavGroup } from '../../src/app/shell/nav-group.tsx';
import { Rail } from '../../src/app/shell/rail.tsx';
import { theme } from '../../src/app/theme/theme.ts';
import { resourceOf } from '../../src/domain/resources/index.ts';
import { usePanel } from '../../src/stores/panels.ts';
import { useServerAbilities } from '../../src/stores/server-abilities.ts';
import { useSession } from '../../src/stores/session.ts';
import { keepSettings } from '../../src/stores/settings.ts';
import { NADIA, press, show } from './open-screen.tsx';

afterEach(() => useServerAbilities.setState({}, true));

/** Opens the account's menu. Returns the mocks that close it and log out. */
function openMenu({ compact = false } = {}) {
  const close = vi.fn<() => void>();
  const logOut = vi.fn<() => void>();
  show(
    <ThemeProvider theme={theme} defaultMode="system" modeStorageKey="voltdesk.appearance" noSsr>
      <AccountLinks name="Nadia Rahman" compact={compact} onLogOut={logOut} onClose={close} />
    </ThemeProvider>,
  );
  return { close, logOut };
}

const links = () => screen.queryAllByRole('link').map((link) => link.getAttribute('href'));

test('the account links are a navigation landmark named Account', () => {
  openMenu();
  expect(screen.getByRole('navigation', { name: 'Account' }).contains(screen.getByRole('link'))).toBe(true);
  expect(screen.getByRole('group', { name: 'Appearance' })).toBeDefined();
});

test('links to no sessions, security or people if the server does not support them', () => {
  openMenu();
  expect(links()).toEqual(['/preferences']);
});

test('links to sessions, and for an owner to people, if the server supports them', () => {
  useServerAbilities.setState({ people: true }, true);
  openMenu();
  expect(links()).toEqual(['/preferences', '/sessions', '/people', '/public-site', '/backups']);
});

test('shows an editor links to sessions and security, but not to People', () => {
  useSession.setState({ user: { ...NADIA, role: 'editor' } });
  useServerAbilities.setState({ people: true, secondFactor: true }, true);
  openMenu();
  expect(links()).toEqual(['/preferences', '/sessions', '/security']);
});

test('shows name, password and log-out in the menu when the bar has no room', () => {
  const { logOut } = openMenu({ compact: true });
  expect(screen.getByText('Nadia Rahman')).toBeDefined();
  expect(links()).toEqual(['/preferences', '/pass-change']);
  fireEvent.click(screen.getByRole('button', { name: 'Logout' }));
  expect(logOut).toHaveBeenCalledOnce();
});

test('leaves name and log-out out of the menu when the bar has room', () => {
  openMenu();
  expect(screen.queryByText('Nadia Rahman')).toBeNull();
  expect(screen.queryByRole('button', { name: 'Logout' })).toBeNull();
});

test('a link closes the menu, and Help also opens the help panel', async () => {
  const { close } = openMenu();
  await press('Help');
  expect(close).toHaveBeenCalledOnce();
  expect(usePanel.getState().open).toBe('help');
  fireEvent.click(screen.getByRole('link', { name: 'Preferences' }));
  expect(close).toHaveBeenCalledTimes(2);
});

test('the appearance that is chosen is kept, and shown as chosen', () => {
  openMenu();
  expect(screen.getByRole<HTMLInputElement>('radio', { name: 'System' }).checked).toBe(true);
  fireEvent.click(screen.getByRole('radio', { name: 'Dark' }));
  expect(localStorage.getItem('voltdesk.appearance')).toBe('dark');
  expect(screen.getByRole<HTMLInputElement>('radio', { name: 'Dark' }).checked).toBe(true);
  fireEvent.click(screen.getByRole('radio', { name: 'Light' }));
  expect(localStorage.getItem('voltdesk.appearance')).toBe('light');
});

test.each([
  ['', '/icons/icon.svg'],
  ['logo.png', '/uploads/logo.png'],
  ['/brand/logo.svg', '/brand/logo.svg'],
  ['brand/logo.svg', 'brand/logo.svg'],
])('the logo %s is fetched from %s', (logoPath, address) => {
  keepSettings({ logoPath, brandLabel: 'Acme' });
  show(<Brand />);
  expect(screen.getByRole('img', { name: 'Acme' }).getAttribute('src')).toBe(address);
  keepSettings({});
});

test('shows the location of the company if it is set', () => {
  keepSettings({ brandLabel: 'Acme', locationLine: 'Dhaka, Bangladesh' });
  const { container } = show(<Brand />);
  expect(container.textContent).toBe('AcmeDhaka, Bangladesh');
  act(() => keepSettings({ brandLabel: 'Acme' }));
  expect(container.textContent).toBe('Acme');
  expect(screen.getByText('Acme').parentElement?.childElementCount).toBe(1);
  keepSettings({});
});

test('the drawer closes for any of its links, even the current page, but not for a press beside them', () => {
  const close = vi.fn<() => void>();
  show(<NavDrawer open onClose={close} />, '/');
  fireEvent.click(screen.getByRole('heading', { name: 'Main' }));
  expect(close).not.toHaveBeenCalled();
  fireEvent.click(screen.getByRole('link', { name: 'Dashboard' }));
  expect(close).toHaveBeenCalledOnce();
});

test.each([
  ['/', 'Dashboard'],
  ['/partner-edit/7', 'Partners'],
  ['/partner-all', 'Partners'],
  ['/outbox', undefined],
  ['/about', undefined],
  ['/about-edit/3', 'About Us Sliders'],
])('at %s the rail marks %s, and nothing else', (address, place) => {
  show(<Rail onOpen={() => {}} />, address);
  const marked = screen.getAllByRole('link').filter((link) => link.getAttribute('aria-current') === 'page');
  expect(marked.map(({ textContent }) => textContent)).toEqual(place === undefined ? [] : [place]);
});

test('the rail opens the full navigation and Find', async () => {
  const open = vi.fn<() => void>();
  show(<Rail onOpen={open} />);
  await press('Navigation');
  expect(open).toHaveBeenCalledOnce();
  await press('Find');
  expect(usePanel.getState().open).toBe('find');
});

test.each([
  ['/about', 'false'],
  ['/about-edit/3', 'true'],
  ['/about-create', 'true'],
])('at %s the group of About Us Sliders is open: %s', (address, expanded) => {
  show(<NavGroup resource={resourceOf('about-items')} />, address);
  const group = screen.getByRole('button', { name: 'About Us Sliders' });
  expect([group.getAttribute('aria-expanded'), group.dataset['here']]).toEqual([expanded, expanded]);
  const list = screen.queryByRole('list', { name: 'About Us Sliders' });
  expect(group.getAttribute('aria-controls')).toBe(list === null ? null : list.id);
});

test('shows a viewer no link to a new record', () => {
  useSession.setState({ user: { ...NADIA, role: 'viewer' } });
  show(<NavGroup resource={resourceOf('partners')} />, '/partner-all');
  expect(links()).toEqual(['/partner-all']);
});

test('shows an editor the link to a new record', () => {
  useSession.setState({ user: { ...NADIA, role: 'editor' } });
  show(<NavGroup resource={resourceOf('partners')} />, '/partner-all');
  expect(links()).toEqual(['/partner-create', '/partner-all']);
});

test('keeps a group closed on the page where it was closed, and opens it on the next page of its kind', async () => {
  const partners = <NavGroup resource={resourceOf('partners')} />;
  const leave = (to: string) => <Link to={to}>Leave</Link>;
  render(
    <MemoryRouter initialEntries={['/partner-all']}>
      {partners}
      <Routes>
        <Route path="/partner-all" element={leave('/partner-create')} />
        <Route path="*" element={null} />
      </Routes>
    </MemoryRouter>,
  );
  const group = () => screen.getByRole('button', { name: 'Partners' }).getAttribute('aria-expanded');
  await press('Partners');
  expect(group()).toBe('false');
  fireEvent.click(screen.getByRole('link', { name: 'Leave' }));
  expect(group()).toBe('true');
});
