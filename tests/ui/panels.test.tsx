import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { openApp } from './page.tsx';

/** Shortcuts work once the page is idle. A panel that was opened before shows that it is. */
async function openResting(address: string) {
  const page = await openApp(address);
  await page.user.click(await screen.findByRole('button', { name: 'Find' }));
  await screen.findByRole('dialog', { name: 'Find' });
  await page.user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  return page;
}

describe('find', () => {
  it('opens by keyboard from anywhere, and goes to the chosen result', async () => {
    const { user } = await openResting('/about');
    await user.keyboard('{Control>}k{/Control}');
    const dialog = within(await screen.findByRole('dialog', { name: 'Find' }));
    await user.type(dialog.getByRole('searchbox'), 'change pass');
    expect(dialog.getByRole('link', { name: /Change Password/ })).toBeDefined();
    await user.keyboard('{Enter}');
    expect(await screen.findByRole('heading', { name: 'Change Password' })).toBeDefined();
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('closes over the current screen when that is chosen', async () => {
    const { user } = await openResting('/about');
    await user.keyboard('{Control>}k{/Control}');
    const dialog = within(await screen.findByRole('dialog', { name: 'Find' }));
    await user.type(dialog.getByRole('searchbox'), 'about');
    await user.click(dialog.getByRole('link', { name: /^About/ }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(screen.getByRole('heading', { name: 'About' })).toBeDefined();
  });

  it('is navigated with the arrow keys', async () => {
    const { user } = await openResting('/about');
    await user.keyboard('{Meta>}k{/Meta}');
    const dialog = within(await screen.findByRole('dialog', { name: 'Find' }));
    await user.type(dialog.getByRole('searchbox'), 'ups');
    await user.keyboard('{ArrowDown}');
    expect(document.activeElement?.textContent).toContain('New Ups');
    await user.keyboard('{ArrowUp}{ArrowUp}');
    expect(document.activeElement).toBe(dialog.getByRole('searchbox'));
  });
});

describe('help', () => {
  it('opens by ? unless somebody is typing', async () => {
    const { user } = await openResting('/pass-change');
    await user.type(await screen.findByLabelText('Previous password'), '?');
    expect(screen.queryByRole('dialog')).toBeNull();
    await user.click(screen.getByRole('heading', { name: 'Change Password' }));
    await user.keyboard('?');
    expect(await screen.findByRole('dialog', { name: 'Help' })).toBeDefined();
  });
});
