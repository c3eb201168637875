import { expect, test } from 'vitest';
import { findingsOf, type ServerHealth } from '../../src/domain/protocol/health.ts';

const NOW = Date.parse('2026-11-22T12:00:00Z');
const GIGABYTE = 1024 ** 3;
const ago = (hours: number) => new Date(NOW - hours * 3_600_000).toISOString();
const ahead = (days: number) => ago(-24 * days - 1);

const WELL: ServerHealth = {
  version: '1.2.3',
  startedAt: ago(72),
  diskFree: 20 * GIGABYTE,
  diskSize: 40 * GIGABYTE,
  largestRequest: 64 * 1024 * 1024,
  databaseSize: GIGABYTE / 4,
  picturesWaiting: 0,
  backup: { at: ago(5), damaged: 0, everyHours: 24, isEncrypted: true },
  certificate: { validUntil: ahead(60) },
};

test('reports every part of a healthy server as good', () => {
  expect(findingsOf(WELL, NOW)).toEqual([
    { subject: 'Server', state: 'good', text: 'Running and accepting changes.' },
    { subject: 'Disk', state: 'good', text: '20 of 40 GB free. The database takes 256 MB.' },
    { subject: 'Backup', state: 'good', text: 'Last backup 5 hours ago, encrypted.' },
    { subject: 'Certificate', state: 'good', text: 'Valid for 60 more days.' },
    { subject: 'Pictures', state: 'good', text: 'All smaller sizes are ready.' },
    { subject: 'Version', state: 'good', text: 'Voltdesk 1.2.3, started 3 days ago.' },
  ]);
});

test.each([
  [1, '1 MB'],
  [GIGABYTE / 4 + 1, '257 MB'],
  [GIGABYTE - 1, '1024 MB'],
  [GIGABYTE, '1.00 GB'],
  [10 * GIGABYTE, '10 GB'],
])('shows a database of %i bytes as %s', (databaseSize, words) => {
  const [, disk] = findingsOf({ ...WELL, databaseSize }, NOW);
  expect(disk?.text).toBe(`20 of 40 GB free. The database takes ${words}.`);
});

const BACKUP = { everyHours: 24, isEncrypted: false };

test.each<[string, Partial<ServerHealth>, string, string]>([
  [
    'a backup that is not in the bucket',
    { backup: { ...BACKUP, at: ago(2), problem: 'The bucket is away.' } },
    'bad',
    'Last backup 2 hours ago. It did not reach the bucket: The bucket is away.',
  ],
  ['cannot work', { problem: 'The database cannot be used.' }, 'bad', 'The database cannot be used.'],
  ['is out of disk space', { diskFree: GIGABYTE / 50 }, 'bad', '0.02 of 40 GB free: full.'],
  ['is low on disk space', { diskFree: GIGABYTE }, 'warning', '1.00 of 40 GB free: almost full.'],
  ['has no backup yet', { backup: BACKUP }, 'bad', 'No backup yet.'],
  ['makes no backups', { backup: { isEncrypted: false } }, 'bad', 'Set BACKUP_DIR'],
  ['missed one backup', { backup: { ...BACKUP, at: ago(31) } }, 'warning', '31 hours ago: overdue.'],
  ['missed two backups', { backup: { ...BACKUP, at: ago(49) } }, 'bad', '2 days ago: far too long ago.'],
  ['was last backed up by hand long ago', { backup: { isEncrypted: false, at: ago(24 * 15) } }, 'bad', '15 days ago'],
  [
    'lost a file from its backup',
    { backup: { ...BACKUP, at: ago(1), damaged: 1 } },
    'bad',
    '1 file was missing or damaged.',
  ],
  ['has an expired certificate', { certificate: { validUntil: ago(1), problem: 'x' } }, 'bad', 'It has expired.'],
  ['has a certificate about to expire', { certificate: { validUntil: ahead(2) } }, 'bad', 'Valid for 2 more days.'],
  [
    'has a certificate overdue for renewal',
    { certificate: { validUntil: ahead(13) } },
    'warning',
    'Valid for 13 more days.',
  ],
  ['has an untrusted certificate', { certificate: { validUntil: ahead(60), problem: 'No.' } }, 'bad', 'No.'],
  ['cannot check its certificate', { certificate: { problem: 'Cannot be reached.' } }, 'warning', 'Cannot be reached.'],
])('lists that problem first for a server that %s', (_what, part, state, text) => {
  const [first, ...rest] = findingsOf({ ...WELL, ...part }, NOW);
  expect(first).toMatchObject({ state, text: expect.stringContaining(text) });
  expect(rest.map((finding) => finding.state)).toEqual(Array(5).fill('good'));
});

test('lists current problems before upcoming ones, and both before what is fine', () => {
  const health = { ...WELL, backup: BACKUP, diskFree: GIGABYTE, certificate: { validUntil: ahead(13) } };
  const findings = findingsOf(health, NOW).map(({ subject, state }) => [subject, state]);
  expect(findings.slice(0, 4)).toEqual([
    ['Backup', 'bad'],
    ['Disk', 'warning'],
    ['Certificate', 'warning'],
    ['Server', 'good'],
  ]);
});

test.each<[string, Partial<ServerHealth>, string]>([
  ['a backup that is due just now', { backup: { ...BACKUP, at: ago(24) } }, '24 hours ago.'],
  ['a backup that is slightly late', { backup: { ...BACKUP, at: ago(30) } }, '30 hours ago.'],
  ['a backup taken minutes ago', { backup: { ...BACKUP, at: ago(0.5) } }, 'Last backup less than an hour ago.'],
  ['a backup taken an hour ago', { backup: { ...BACKUP, at: ago(1) } }, 'Last backup 1 hour ago.'],
  ['a manual backup taken a week ago', { backup: { isEncrypted: false, at: ago(24 * 7) } }, '7 days ago.'],
  ['a certificate valid for two weeks', { certificate: { validUntil: ahead(14) } }, 'Valid for 14 more days.'],
  ['no certificate', { certificate: undefined } as object, 'PUBLIC_HOST is not set.'],
  ['one picture still to be resized', { picturesWaiting: 1 }, 'Smaller sizes of 1 picture are being created.'],
  ['a large database', { databaseSize: 12.4 * GIGABYTE }, 'The database takes 12 GB.'],
  ['a medium-sized database', { databaseSize: 1.5 * GIGABYTE }, 'The database takes 1.50 GB.'],
  ['disk space for twenty requests', { diskFree: 20 * WELL.largestRequest }, '1.25 of 40 GB free.'],
])('reports %s as good, with its details', (_what, part, text) => {
  const findings = findingsOf({ ...WELL, ...part }, NOW);
  expect(findings.map(({ state }) => state)).toEqual(Array(6).fill('good'));
  expect(findings.map((finding) => finding.text).join(' ')).toContain(text);
});
