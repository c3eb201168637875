import { beforeEach, describe, expect, test } from 'vitest';
import { CONTRACT_ONLY } from '../../src/domain/protocol/capabilities.ts';
import { pendingEntries } from '../../src/offline/outbox/queries.ts';
import type { Environment } from '../../src/offline/storage/environment.ts';
import { readMeta, writeMeta } from '../../src/offline/storage/meta.ts';
import { unfinished, unfinishedOf } from '../../src/offline/storage/outbox-database.ts';
import { confirmSession, decidedSession, forgetSession, rememberSession } from '../../src/offline/storage/session.ts';
import { transact } from '../../src/offline/storage/transactions.ts';
import {
  endUploadWaits,
  forgetUploadsBut,
  readTravel,
  readUpload,
  writeUpload,
} from '../../src/offline/storage/uploads.ts';
import { creating, deleting, editing, entryOf, NOW, partner } from '../domain/outbox/samples.ts';
import { contractOnlyBackend } from './support/backends.ts';
import { Device } from './support/device.ts';

/* What the device stores besides records: the session, the progress of files, the changes of a record. */

const SESSION = { administrator: '7', name: 'Ada', token: 'token', rememberAcrossRestarts: true };

let page: Environment;

beforeEach(() => {
  page = new Device(contractOnlyBackend()).environment();
});

describe('the session', () => {
  test('is undecided on a new device', async () => {
    expect(await decidedSession(page)).toBeUndefined();
    await forgetSession(page);
    expect(await decidedSession(page)).toEqual({});
  });

  test('is that of the last sign-in, and after a log-out only the last administrator is known', async () => {
    await rememberSession(SESSION, page);
    expect(await decidedSession(page)).toEqual({ session: SESSION, lastAdministrator: '7' });
    await forgetSession(page);
    expect(await decidedSession(page)).toEqual({ lastAdministrator: '7' });
    await forgetSession(page);
    expect(await decidedSession(page)).toEqual({ lastAdministrator: '7' });
  });

  test('is confirmed unless something else was decided', async () => {
    expect(await confirmSession(SESSION, page)).toBe(true);
    expect(await confirmSession({ ...SESSION, name: 'Ada L.' }, page)).toBe(true);
    expect((await decidedSession(page))?.session?.name).toBe('Ada L.');
    expect(await confirmSession({ ...SESSION, token: 'other' }, page)).toBe(false);
    await forgetSession(page);
    expect(await confirmSession(SESSION, page)).toBe(false);
    expect(await decidedSession(page)).toEqual({ lastAdministrator: '7' });
  });

  test('ends a pause for a sign-in, and no other', async () => {
    const busy = { cause: 'busy', since: NOW, until: NOW + 9_000, failures: 1 } as const;
    for (const [pause, left] of [
      [{ cause: 'signed-out', since: NOW, failures: 0 } as const, undefined],
      [busy, busy],
    ] as const) {
      await writeMeta(page.outbox, 'pause', pause);
      await rememberSession(SESSION, page);
      expect(await readMeta(page.outbox, 'pause')).toEqual(left);
    }
  });
});

describe('the progress of files', () => {
  const upload = (sha256: string, more = {}) => ({
    sha256,
    size: 9,
    offset: 3,
    failures: 1,
    restarts: 0,
    triedAt: NOW,
    ...more,
  });

  test('is kept per administrator, and is zero for a file that was never started', async () => {
    await writeUpload(page.outbox, '1', upload('a'));
    expect(await readUpload(page.outbox, '1', { sha256: 'a', size: 9 })).toEqual(upload('a'));
    expect(await readUpload(page.outbox, '11', { sha256: 'a', size: 9 })).toMatchObject({ offset: 0, failures: 0 });
  });

  test('stays when the waits end', async () => {
    await writeUpload(page.outbox, '1', upload('waits', { notBefore: NOW + 5_000 }));
    await writeUpload(page.outbox, '1', upload('goes'));
    await endUploadWaits(page.outbox);
    expect(await readUpload(page.outbox, '1', { sha256: 'waits', size: 9 })).toEqual(upload('waits', { notBefore: 0 }));
    expect(await readUpload(page.outbox, '1', { sha256: 'goes', size: 9 })).toEqual(upload('goes'));
  });

  test('is dropped for files without a change, whoever sent them, and nothing else is', async () => {
    await writeMeta(page.outbox, 'lastAttempt', NOW);
    for (const [person, hash] of [
      ['1', 'wanted'],
      ['1', 'not'],
      ['2', 'not'],
    ] as const)
      await writeUpload(page.outbox, person, upload(hash));
    await forgetUploadsBut(page.outbox, new Set(['wanted']));
    const offsets = await Promise.all(
      [
        ['1', 'wanted'],
        ['1', 'not'],
        ['2', 'not'],
      ].map(async ([person = '', sha256 = '']) => (await readUpload(page.outbox, person, { sha256, size: 9 })).offset),
    );
    expect(offsets).toEqual([3, 0, 0]);
    expect(await readMeta(page.outbox, 'lastAttempt')).toBe(NOW);
  });
});

describe('what is known about staged files', () => {
  const KNOWN = { ...CONTRACT_ONLY, staging: { fromBytes: 500 } };
  const travel = (overrides: Partial<Environment> = {}) => readTravel({ ...page, ...overrides });

  test('is nothing while nobody is signed in', async () => {
    await writeMeta(page.outbox, 'capabilities', { at: NOW, told: KNOWN });
    expect(await travel()).toBeUndefined();
  });

  test('is the signed-in administrator’s, above the size that the server gives', async () => {
    const upload = { sha256: 'a', size: 9, offset: 3, failures: 1, restarts: 0, triedAt: NOW };
    for (const person of ['7', '71']) await writeUpload(page.outbox, person, { ...upload, sha256: `of ${person}` });
    await rememberSession(SESSION, page);
    const uploads = new Map([['of 7', { ...upload, sha256: 'of 7' }]]);
    expect(await travel()).toEqual({ uploads });
    await writeMeta(page.outbox, 'capabilities', { at: NOW, told: CONTRACT_ONLY });
    expect(await travel()).toEqual({ uploads });
    await writeMeta(page.outbox, 'capabilities', { at: NOW, told: KNOWN });
    expect(await travel()).toEqual({ uploads, fromBytes: 500 });
  });

  test.each([
    ['cellular', true],
    ['wifi', false],
  ])('includes the link type when that administrator keeps files for Wi-Fi: %s', async (link, metered) => {
    await rememberSession(SESSION, page);
    await writeMeta(page.outbox, 'wifiOver', { '71': 5 });
    expect(await travel({ linkType: () => link })).toEqual({ uploads: new Map() });
    await writeMeta(page.outbox, 'wifiOver', { '7': 0, '71': 5 });
    expect(await travel({ linkType: () => link })).toEqual({ uploads: new Map(), wifiOver: 0, metered });
  });
});

describe('waiting changes', () => {
  test('cannot be stored twice', async () => {
    const { outbox } = page;
    const entry = entryOf(creating());
    await outbox.entries.add(entry);
    const again = outbox.entries.add({ ...entry, sequence: entry.sequence + 1 });
    await expect(again).rejects.toThrow('ConstraintError');
    expect(await outbox.entries.count()).toBe(1);
  });

  test('of one record and kind are listed in order, without confirmed ones', async () => {
    const { outbox } = page;
    const edit = (recordId: string) => editing(recordId, partner('A'), partner('B'));
    const [first, other, done, last, faq] = [
      entryOf(edit('5')),
      entryOf(edit('6')),
      entryOf(edit('5'), { state: 'done', receipt: { at: NOW, message: '' } }),
      entryOf(deleting('5')),
      entryOf({ op: 'delete', resource: 'generators', recordId: '5' }),
    ];
    await outbox.entries.bulkPut([last, faq, done, other, first]);
    const ids = (found: readonly { readonly id: string }[]) => found.map(({ id }) => id);
    const read = <T>(work: () => Promise<T>) => transact(outbox, 'r', [outbox.entries], work);
    expect(ids(await read(() => unfinishedOf(outbox, edit('5'))))).toEqual(ids([first, last]));
    expect(ids(await read(() => unfinished(outbox)))).toEqual(ids([first, other, last, faq]));
  });

  test('are listed only for the signed-in administrator', async () => {
    await page.outbox.entries.bulkPut([entryOf(creating()), entryOf(creating('local-2'), { administrator: '7' })]);
    expect(await pendingEntries(page)).toEqual([]);
    await rememberSession(SESSION, page);
    expect(await pendingEntries(page)).toMatchObject([{ administrator: '7' }]);
  });
});
