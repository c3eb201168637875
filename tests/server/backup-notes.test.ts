import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { backupNotesIn } from '../../server/ops/last-backup.ts';
import { freshFolder } from './harness.ts';

const HOUR = 60 * 60_000;
const NOON = Date.parse('2026-11-20T12:00:00Z');

test('reports a backup as due without a record of one, with a damaged record, and at the maximum age', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: NOON });
  onTestFinished(() => void vi.useRealTimers());
  const folder = await freshFolder();
  const notes = backupNotesIn(folder);
  expect([await notes.last(), await notes.claim(24 * HOUR)]).toEqual([undefined, true]);
  const backup = { at: new Date(NOON).toISOString(), file: '/backups/one', damaged: 2 };
  await notes.note(backup);
  expect([await notes.last(), await readdir(folder)]).toEqual([backup, ['last-backup.json']]);
  vi.setSystemTime(NOON + 24 * HOUR - 1);
  expect(await notes.claim(24 * HOUR)).toBe(false);
  vi.setSystemTime(NOON + 24 * HOUR);
  expect([await notes.claim(24 * HOUR), await notes.claim(25 * HOUR)]).toEqual([true, false]);
  await notes.note({ ...backup, at: new Date(NOON + 24 * HOUR).toISOString() });
  expect(await notes.claim(24 * HOUR)).toBe(false);
  await writeFile(join(folder, 'last-backup.json'), '{"at":');
  expect([await notes.last(), await notes.claim(24 * HOUR)]).toEqual([undefined, true]);
});
