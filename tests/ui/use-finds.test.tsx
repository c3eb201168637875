import { cleanup, renderHook, waitFor } from '@testing-library/react';
import { ThemeProvider } from '@mui/material/styles';
import type { ReactNode } from 'react';
import { MemoryRouter } from 'react-router-dom';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { theme } from '../../src/app/theme/theme.ts';
import { search } from '../../src/app/find/finds.ts';
import { useFinds } from '../../src/app/find/use-finds.ts';
import { logOut } from '../../src/app/log-out/log-out.ts';
import { useReceipts } from '../../src/api/live.ts';
import { outbox } from '../../src/api/outbox.ts';
import { knownRows } from '../../src/api/reads.ts';
import { refreshWatched } from '../../src/api/sources.ts';
import { useServerAbilities } from '../../src/stores/server-abilities.ts';
import { usePanel } from '../../src/stores/panels.ts';
import { useSession } from '../../src/stores/session.ts';
import { creating, deleting, editing, entryOf } from '../domain/outbox/samples.ts';

vi.mock('../../src/api/live.ts', () => ({ useReceipts: vi.fn() }));
vi.mock('../../src/api/outbox.ts', () => ({ outbox: { sendNow: vi.fn(async () => {}) } }));
vi.mock('../../src/app/log-out/log-out.ts', () => ({ logOut: vi.fn(async () => true) }));
vi.mock('../../src/api/reads.ts', () => ({ knownRows: vi.fn() }));
vi.mock('../../src/api/sources.ts', () => ({ refreshWatched: vi.fn() }));

const PARTNER = { recordId: 'local-1', name: 'Acme', link: '' };

beforeEach(() => {
  vi.mocked(useReceipts).mockReturnValue(undefined);
  vi.mocked(knownRows).mockImplementation(async ({ name }) => (name === 'partners' ? [PARTNER] : []));
  signIn('owner');
  useServerAbilities.setState({ people: true }, true);
});

afterEach(cleanup);

function signIn(role: 'owner' | 'editor' | 'viewer'): void {
  const user = { id: 7, name: 'Nadia', email: 'nadia@example.com', role } as const;
  useSession.setState({ user, token: 'token-1', ended: false, signInAsked: false }, true);
}

const around = ({ children }: { children: ReactNode }) => (
  <ThemeProvider theme={theme} defaultMode="system" noSsr>
    <MemoryRouter>{children}</MemoryRouter>
  </ThemeProvider>
);

/** All that can be found, once the device's copies have been read. */
async function finds() {
  const { result } = renderHook(() => useFinds(), { wrapper: around });
  await waitFor(() => expect(result.current.some(({ label }) => label === 'Acme')).toBe(true));
  return result.current;
}

const places = async () => (await finds()).map(({ to }) => to);

/** Runs the result with this name. */
async function run(label: string): Promise<void> {
  (await finds()).find((one) => one.label === label)?.run?.();
}

describe('recent records', () => {
  it('come first, each once, four at most, without deleted ones', async () => {
    const arrived = ['5', '5', '6', '7', '8', '9'].map((id) => editing(id, { name: 'A' }, { name: `Partner ${id}` }));
    const entries = [deleting('4'), editing('4', {}, { name: 'A' }), ...arrived].map((change, place) =>
      entryOf(change, { state: 'done', title: `Change ${place}` }),
    );
    vi.mocked(useReceipts).mockReturnValue(entries);
    const found = await finds();
    expect(found.slice(0, 5).map(({ to, kind }) => `${to} ${kind}`)).toEqual([
      '/partner-edit/5 Recent',
      '/partner-edit/6 Recent',
      '/partner-edit/7 Recent',
      '/partner-edit/8 Recent',
      '/ Page',
    ]);
    expect(found[0]).toMatchObject({ resource: 'partners', label: 'Change 2' });
  });

  it('open under the server’s id if created here, and include the site settings', async () => {
    const made = entryOf(creating(), { state: 'done', receipt: { at: 1, message: '', serverId: 31 } });
    const edit = { ...editing('1', { title: 'A' }, { title: 'B' }), resource: 'site-meta' } as const;
    vi.mocked(useReceipts).mockReturnValue([made, entryOf(edit, { state: 'done' })]);
    const [first, second] = await finds();
    expect(first?.to).toBe('/partner-edit/31');
    expect(second).toMatchObject({ to: '/sete-meta-update', kind: 'Recent' });
    expect(second).not.toHaveProperty('resource');
  });
});

describe('an action', () => {
  it.each([
    ['sync', 'Send now'],
    ['upload', 'Send now'],
    ['reload', 'Refresh this page’s data'],
    ['night', 'Dark appearance'],
    ['bright', 'Light appearance'],
    ['barcode', 'Scan a code'],
    ['shortcuts', 'Help'],
    ['sign out', 'Logout'],
  ])('is found by “%s” too', async (words, label) => {
    expect(search(await finds(), words).map((found) => found.label)).toContain(label);
  });
});

describe('screens', () => {
  it('of people and server health are only for owners, on a server that has them', async () => {
    expect(await places()).toEqual(expect.arrayContaining(['/people', '/health', '/sessions', '/security']));
    cleanup();
    useServerAbilities.setState({}, true);
    expect((await places()).filter((to) => /people|health|sessions|security/.test(to ?? ''))).toEqual([]);
  });

  it('of one’s own sessions are for everybody', async () => {
    signIn('viewer');
    const found = await places();
    expect(found).toEqual(expect.arrayContaining(['/sessions', '/security']));
    expect(found.filter((to) => /people|health|-create/.test(to ?? ''))).toEqual([]);
  });

  it('come before records, even one that the server does not know yet', async () => {
    const found = await places();
    expect(found.at(-1)).toBe('/partner-edit/local-1');
  });
});

describe('actions', () => {
  it('send, refresh and log out', async () => {
    await run('Send now');
    expect(outbox.sendNow).toHaveBeenCalledOnce();
    await run('Refresh this page’s data');
    expect(refreshWatched).toHaveBeenCalledOnce();
    await run('Logout');
    await waitFor(() => expect(logOut).toHaveBeenCalledOnce());
  });

  it.each([
    ['Scan a code', 'scan'],
    ['Help', 'help'],
  ])('%s opens its panel', async (label, panel) => {
    await run(label);
    expect(usePanel.getState().open).toBe(panel);
  });

  it.each([
    ['Dark appearance', 'dark'],
    ['Light appearance', 'light'],
    ['System appearance', 'system'],
  ])('%s is applied', async (label, mode) => {
    localStorage.setItem('mui-mode', mode === 'dark' ? 'light' : 'dark');
    await run(label);
    await waitFor(() => expect(localStorage.getItem('mui-mode')).toBe(mode));
  });
});
