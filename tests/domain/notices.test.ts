import { expect, test } from 'vitest';
import type { ServerHealth } from '../../src/domain/protocol/health.ts';
import { causesOf, type Looked } from '../../src/domain/protocol/notices.ts';

const NOW = Date.parse('2026-11-28T12:00:00Z');
const GIGABYTE = 1024 ** 3;
const DAY = 24 * 60 * 60_000;
const ago = (milliseconds: number) => new Date(NOW - milliseconds).toISOString();

const WELL: ServerHealth = {
  version: '1.2.3',
  startedAt: ago(DAY),
  diskFree: 20 * GIGABYTE,
  diskSize: 40 * GIGABYTE,
  largestRequest: 64 * 1024 * 1024,
  picturesWaiting: 0,
  backup: { at: ago(DAY / 2), damaged: 0, everyHours: 24, isEncrypted: true },
  certificate: { validUntil: ago(-60 * DAY) },
};

const HOOK = { id: 'h1', url: 'https://site.test/build', createdAt: ago(9 * DAY), deliveries: [] };
const DELIVERY = { id: 'm', state: 'waiting', attempts: 9, createdAt: ago(DAY) } as const;
const TABLET = { id: '8.x', person: 'Omar', device: 'Tablet', version: 'v', lastSeenAt: ago(3 * DAY), waiting: 3 };

function causes(health: Partial<ServerHealth> = {}, more: Partial<Looked> = {}) {
  return causesOf({ health: { ...WELL, ...health }, webhooks: [], devices: [], server: 'one', ...more }, NOW);
}

test('finds nothing wrong with a healthy server, a new one, and one that makes no backups', () => {
  expect(causes()).toEqual([]);
  expect(causes({ startedAt: ago(DAY / 24), backup: { everyHours: 24, isEncrypted: true } })).toEqual([]);
  expect(causes({ backup: { isEncrypted: false } })).toEqual([]);
});

test.each<[string, Partial<ServerHealth>, Partial<Looked>, string, string, boolean]>([
  ['an overdue backup', { backup: { ...WELL.backup, at: ago(1.5 * DAY) } }, {}, 'backup', 'overdue', false],
  ['no first backup after hours', { backup: { everyHours: 24, isEncrypted: true } }, {}, 'backup', 'No backup', false],
  ['a backup in the folder alone', { backup: { ...WELL.backup, problem: 'x' } }, {}, 'backup', 'bucket', false],
  ['a failed backup', {}, { backupFailure: 'No space.' }, 'backup-failed@one', 'failed: No space.', false],
  ['a disk below a tenth', { diskFree: 3.9 * GIGABYTE }, {}, 'disk@one', '10 % free', false],
  ['a full disk', { diskFree: GIGABYTE / 100 }, {}, 'disk@one', '0 % free', true],
  ['a certificate within 14 days', { certificate: { validUntil: ago(-13.5 * DAY) } }, {}, 'certificate', '13', false],
  ['a certificate about to end', { certificate: { validUntil: ago(-2 * DAY) } }, {}, 'certificate', '2 more', true],
  ['an undelivered message', {}, { webhooks: [{ ...HOOK, deliveries: [DELIVERY] }] }, 'webhook:h1', HOOK.url, false],
  ['a silent device', {}, { devices: [TABLET] }, 'device:8.x', '3 changes wait there', false],
])('finds %s', (_name, health, more, cause, words, isUrgent) => {
  const found = causes(health, more);
  expect(found).toEqual([{ cause, text: expect.stringContaining(words), ...(isUrgent ? { isUrgent: true } : {}) }]);
});

test.each<[string, Partial<Looked>]>([
  ['a message of today', { webhooks: [{ ...HOOK, deliveries: [{ ...DELIVERY, createdAt: ago(DAY - 1) }] }] }],
  ['a delivered message', { webhooks: [{ ...HOOK, deliveries: [{ ...DELIVERY, state: 'delivered' }] }] }],
  ['a silent device without changes', { devices: [{ ...TABLET, waiting: 0 }] }],
  ['a device of which nobody knows what waits', { devices: [{ ...TABLET, waiting: undefined } as never] }],
  ['a device seen since', { devices: [{ ...TABLET, lastSeenAt: ago(3 * DAY - 1) }] }],
])('finds nothing wrong with %s', (_name, more) => {
  expect(causes({}, more)).toEqual([]);
});
