import { act, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { openApp } from './page.tsx';

/** Section 2 of the specification, with the slip in the last label corrected. */
const GROUPS: readonly (readonly [group: string, list: string, create: string, all: string])[] = [
  ['Sliders', 'All Slider', '/slider-create', '/slider-all'],
  ['Projects', 'All Projects', '/project-create', '/project-all'],
  ['Generators', 'All Generators', '/generator-create', '/generator-all'],
  ['Solar Panels', 'All Solar Panels', '/sp-create', '/sp-all'],
  ['Grid Tie Inverter', 'All Grid Tie Inverter', '/gti-create', '/gti-all'],
  ['Ups', 'All Ups', '/ups-create', '/ups-all'],
  ['Street Light', 'All Street Light', '/st-create', '/st-all'],
  ['Partners', 'All Partners', '/partner-create', '/partner-all'],
  ['Certifications', 'All Certifications', '/cert-create', '/cert-all'],
  ['About Us Sliders', 'All About Us Sliders', '/about-create', '/about-all'],
];

const navigation = () => screen.findByRole('navigation', { name: 'Navigation' });

describe('the sidebar', () => {
  it('has the specified heading, links and groups in their order', async () => {
    await openApp('/about');
    const nav = within(await navigation());
    expect(nav.getByRole('heading', { name: 'Main' })).toBeDefined();
    expect(nav.getByRole('link', { name: 'Dashboard' }).getAttribute('href')).toBe('/');
    expect(nav.getByRole('link', { name: 'Site meta' }).getAttribute('href')).toBe('/sete-meta-update');
    expect(nav.getAllByRole('button').map((button) => button.textContent)).toEqual(GROUPS.map(([group]) => group));
  });

  it('opens Create New and the list of each group', async () => {
    const { user } = await openApp('/about');
    const nav = within(await navigation());
    const openers = nav.getAllByRole('button');
    expect(openers.map((opener) => opener.getAttribute('aria-expanded'))).not.toContain('true');
    for (const opener of openers) await user.click(opener);
    const shown = GROUPS.map(([group]) => {
      const links = within(nav.getByRole('list', { name: group })).getAllByRole('link');
      return [group, ...links.flatMap((link) => [link.textContent, link.getAttribute('href')])];
    });
    expect(shown).toEqual(GROUPS.map(([group, list, create, all]) => [group, 'Create New', create, list, all]));
  });

  it('opens the group of the page that is shown, and marks the page', async () => {
    await openApp('/ups-all');
    const nav = within(await navigation());
    expect(nav.getByRole('link', { current: 'page' }).textContent).toBe('All Ups');
  });

  it('closes that group again on other pages, unless it was opened by hand', async () => {
    const { user } = await openApp('/ups-all');
    const nav = within(await navigation());
    const opener = (name: string) => nav.getByRole('button', { name });
    await user.click(opener('Partners'));
    await user.click(nav.getByRole('link', { name: 'Site meta' }));
    await waitFor(() => expect(opener('Ups').getAttribute('aria-expanded')).toBe('false'));
    expect(opener('Partners').getAttribute('aria-expanded')).toBe('true');
  });

  it('lets the group of the current page be closed', async () => {
    const { user } = await openApp('/ups-all');
    const nav = within(await navigation());
    const opener = nav.getByRole('button', { name: 'Ups' });
    expect(opener.getAttribute('aria-expanded')).toBe('true');
    await user.click(opener);
    expect(opener.getAttribute('aria-expanded')).toBe('false');
    await user.click(opener);
    expect(opener.getAttribute('aria-expanded')).toBe('true');
  });

  it('shows the names of the installation', async () => {
    await openApp('/about');
    const { keepSettings } = await import('../../src/stores/settings.ts');
    keepSettings({ brandLabel: 'Sunrise', locationLine: 'Dhaka, Bangladesh', companyLabel: 'Sunrise Power Ltd' });
    expect(await screen.findByText('Dhaka, Bangladesh')).toBeDefined();
    expect(screen.getByRole('img', { name: 'Sunrise' }).getAttribute('src')).toBe('/icons/icon.svg');
    expect(within(screen.getByRole('banner')).getByText('Sunrise Power Ltd')).toBeDefined();
    keepSettings({ logoPath: 'logo.png' });
    expect((await screen.findByRole('img', { name: 'Voltdesk' })).getAttribute('src')).toBe('/uploads/logo.png');
  });
});

describe('the top bar', () => {
  it('has the status, the user’s name, Change Password and Logout', async () => {
    await openApp('/about');
    const bar = within(await screen.findByRole('banner'));
    // no server has answered this page
    expect(bar.getByRole('link', { name: 'Connecting…' }).getAttribute('href')).toBe('/outbox');
    expect(bar.getByText('Nadia Rahman')).toBeDefined();
    expect(bar.getByRole('link', { name: 'Change Password' }).getAttribute('href')).toBe('/pass-change');
    expect(bar.getByRole('button', { name: 'Logout' })).toBeDefined();
  });

  it('has a menu in which the appearance is chosen, for this page and later ones', async () => {
    const { user } = await openApp('/about');
    await user.click(await screen.findByRole('button', { name: /Nadia Rahman/ }));
    await user.click(await screen.findByRole('radio', { name: 'Dark' }));
    expect(document.documentElement.dataset['scheme']).toBe('dark');
    expect(localStorage.getItem('voltdesk.appearance')).toBe('dark');
  });

  it('announces a lost connection politely', async () => {
    await openApp('/about');
    const { noteAnswer } = await import('../../src/stores/connection.ts');
    noteAnswer(false);
    const words = await screen.findByText('Offline');
    expect(words.getAttribute('aria-live')).toBe('polite');
  });
});

describe('after a navigation', () => {
  it('focuses the heading of the new page, and sets the document title', async () => {
    const { user } = await openApp('/about');
    await user.click(await screen.findByRole('link', { name: 'Change Password' }));
    const heading = await screen.findByRole('heading', { name: 'Change Password' });
    await waitFor(() => expect(document.activeElement).toBe(heading));
    expect(document.title).toBe('Change Password · Voltdesk');
  });

  it('the document has the name of the installation', async () => {
    await openApp('/about');
    const { useSettings } = await import('../../src/stores/settings.ts');
    act(() => useSettings.setState({ brandLabel: 'Ampere' }));
    await waitFor(() => expect(document.title).toBe('About · Ampere'));
  });

  it('a create screen focuses its first field', async () => {
    const { user } = await openApp('/about');
    await user.click(await screen.findByRole('button', { name: 'Partners' }));
    const [create] = screen.getAllByRole('link', { name: 'Create New' });
    await user.click(create as HTMLElement);
    const name = await screen.findByLabelText('Name');
    await waitFor(() => expect(document.activeElement).toBe(name));
  });

  it('the sign-in focuses its first empty field', async () => {
    await openApp('/login', { signedIn: false });
    const email = await screen.findByLabelText('Email');
    await waitFor(() => expect(document.activeElement).toBe(email));
  });
});
