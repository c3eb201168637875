import { screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import type { BackupsPage } from '../../src/domain/protocol/backups.ts';
import BackupsScreen from '../../src/features/backups/backups-screen.tsx';
import { useSession } from '../../src/stores/session.ts';
import { answer, NADIA, press, sent, show } from './open-screen.tsx';

const NAME = 'voltdesk-2026-11-20T10-00-00-000Z.voltdesk';
const PAGE: BackupsPage = {
  places: [
    { kind: 'folder', address: '/srv/backups' },
    { kind: 'bucket', address: 's3://desk/', problem: 'It cannot be reached.' },
  ],
  backups: [
    {
      name: NAME,
      place: 'folder',
      at: '2026-11-20T10:00:00.000Z',
      size: 12_000_000,
      verifiedAt: '2026-11-20T10:01:00.000Z',
      records: 40,
      files: 1,
      damaged: 0,
      isEncrypted: true,
    },
    { name: NAME.replace('20T', '19T'), place: 'folder', at: '2026-11-19T10:00:00.000Z', size: 900 },
  ],
  everyHours: 24,
  keep: 14,
  hasKey: true,
};

function open(page: Partial<BackupsPage> = {}) {
  answer('GET /api/backups', { ...PAGE, ...page });
  show(<BackupsScreen />);
}

test('lists each backup with its age, size, content, place and check, and the places with their problems', async () => {
  open();
  const list = await screen.findByRole('region', { name: 'Kept backups' });
  const [one, other] = within(list).getAllByRole('listitem');
  expect(one?.textContent).toMatch(/12\.0 MB · 40 records · 1 file · Folder on the server · encrypted · verified/);
  expect([one, other].map((line) => line?.textContent?.includes('Not verified'))).toEqual([false, true]);
  expect(screen.getByRole('region', { name: 'Places' }).textContent).toContain('s3://desk/ · It cannot be reached.');
});

test('says that no backups are made, and what switches them on', async () => {
  open({ places: [], backups: [] });
  expect(await screen.findByText('No backups are made')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Back up now' })).toBeNull();
});

test('backs up now, follows the steps, and shows the list again at the end', async () => {
  open({ backups: [] });
  await screen.findByText('No backup yet');
  answer('POST /api/backups/work', { message: 'Backup started' });
  const running = { what: 'backup', step: 'files', done: 3, total: 12 };
  answer('GET /api/backups', { ...PAGE, backups: [], running });
  answer('GET /api/backups/work', { running });
  await press('Back up now');
  const bar = await screen.findByRole('progressbar', { name: 'Backup in progress' });
  expect([bar.getAttribute('value'), bar.getAttribute('max')]).toEqual(['3', '12']);
  expect(screen.getByText('Copying files…')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Back up now' }).getAttribute('aria-disabled')).toBe('true');
  answer('GET /api/backups', PAGE);
  answer('GET /api/backups/work', {});
  expect(await screen.findByRole('region', { name: 'Kept backups' }, { timeout: 10_000 })).toBeTruthy();
  expect(sent('POST /api/backups/work')).toHaveLength(1);
});

test('rehearses a restore, and shows what would differ and the command', async () => {
  open();
  answer('POST /api/backups/rehearsals', { message: 'Rehearsal started' });
  const nothing = { back: 0, gone: 0, changed: 0 };
  const result = {
    at: '2026-11-20T10:00:00.000Z',
    records: { generators: { back: 2, gone: 1, changed: 7 } },
    files: { back: 0, gone: 31, changed: 0 },
    people: nothing,
    total: { records: 40, files: 1 },
    damaged: [],
    isNewer: false,
  };
  const rehearsal = { name: NAME, place: 'folder' as const, result, command: `npm run restore -- ${NAME}` };
  answer('GET /api/backups', { ...PAGE, rehearsal });
  const [button] = await screen.findAllByRole('button', { name: /^Restore… / });
  button?.click();
  const sheet = await screen.findByRole('region', { name: 'Rehearsal' });
  expect(
    within(sheet)
      .getAllByRole('row')
      .map((row) => [...row.children].map((cell) => cell.textContent)),
  ).toEqual([
    ['What', 'Come back', 'Be gone', 'As before'],
    ['Generators', '2', '1', '7'],
    ['Files', '0', '31', '0'],
  ]);
  expect(within(sheet).getByRole<HTMLInputElement>('textbox', { name: 'Command' }).value).toBe(rehearsal.command);
  expect(sent('POST /api/backups/rehearsals')).toEqual([{ name: NAME, place: 'folder' }]);
});

test('gives no command for a backup that cannot be restored', async () => {
  const none = { back: 0, gone: 0, changed: 0 };
  const result = {
    records: {},
    files: none,
    people: none,
    total: { records: 1, files: 1 },
    damaged: ['a'],
    isNewer: true,
  };
  open({ rehearsal: { name: NAME, place: 'folder', result, command: 'x' } });
  const sheet = await screen.findByRole('region', { name: 'Rehearsal' });
  expect(sheet.textContent).toContain('1 file is missing or damaged in it.');
  expect(sheet.textContent).toContain('newer release');
  expect(within(sheet).queryByRole('textbox')).toBeNull();
});

test('downloads a backup by an address that works once', async () => {
  const clicked: (readonly [string, string])[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    clicked.push([new URL(this.href).pathname, this.download]);
  });
  open();
  answer('POST /api/backups/downloads', { path: '/api/backups/downloads/t1' });
  const [button] = await screen.findAllByRole('button', { name: /^Download / });
  button?.click();
  await expect.poll(() => clicked).toEqual([['/api/backups/downloads/t1', NAME]]);
});

test('shows nothing to those who are no owners', async () => {
  useSession.setState({ user: { ...NADIA, role: 'editor' } });
  open();
  expect(await screen.findByText('Only owners can see backups')).toBeTruthy();
  expect(sent('GET /api/backups')).toEqual([]);
});
