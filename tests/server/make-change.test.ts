import { randomBytes } from 'node:crypto';
import { readdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type ChangeDesk, makeChange } from '../../server/protocol/make-change.ts';
import type { Staging, WholeFile } from '../../server/staging/staging.ts';
import type { Caller, Store } from '../../server/stores/store.ts';
import { realDisk } from '../../server/uploads/disk.ts';
import { incomingPath, prepareFolders, type Storage } from '../../server/uploads/storage.ts';
import { STAGED_FROM_BYTES } from '../../src/domain/protocol/staging.ts';
import { generators } from '../../src/domain/resources/generators.ts';
import { freshFolder } from './harness.ts';

/** The surroundings of a change: a store and a staging that record their calls, and the errors they should raise. */
async function world(more: { readonly store?: Error; readonly noteUse?: Error; readonly adopt?: Error } = {}) {
  const folder = await freshFolder();
  const limits = { maxFileBytes: 2 * STAGED_FROM_BYTES, maxRequestBytes: 1, maxFiles: 3 };
  const storage = { folder, disk: realDisk, limits, randomBytes } as unknown as Storage;
  await prepareFolders(storage);
  const incoming = () => readdir(join(folder, '.incoming'));
  const log: string[] = [];
  const changes: Parameters<Store['change']>[1][] = [];
  const staging = {
    async take(_userId: number, hash: string, path: string) {
      if (hash === 'unreadable') throw new Error('away');
      if (!hash.startsWith('staged')) return undefined;
      // a folder cannot be read
      await (hash === 'staged-broken' ? symlink(folder, path) : writeFile(path, '%PDF-1.7'));
      return STAGED_FROM_BYTES;
    },
    async noteUse(userId: number, hashes: readonly string[]) {
      log.push(`used by ${userId}: ${hashes.join()}`);
      if (more.noteUse !== undefined) throw more.noteUse;
    },
    async adopt(userId: number, files: readonly WholeFile[]) {
      log.push(`adopted of ${userId}: ${files.map(({ sha256 }) => sha256).join()}`);
      if (more.adopt !== undefined) throw more.adopt;
    },
  } as unknown as Staging;
  const store = {
    async change(_caller: Caller, change: Parameters<Store['change']>[1]) {
      changes.push(change);
      if (more.store !== undefined) throw more.store;
      return { answer: { message: 'made', id: 1 }, isReplayed: false };
    },
  } as unknown as Store;
  const desk = { store, staging, storage } as unknown as ChangeDesk;
  const warned: string[] = [];
  const caller = {
    user: { id: 7, name: 'A' },
    log: {
      warn: (_facts: object, words: string) => void warned.push(words),
      info: (_facts: object, words: string) => void warned.push(words),
    },
  } as unknown as Caller;
  const part = async (sha256: string, size = 1) => {
    const path = incomingPath(storage);
    await writeFile(path, '%PDF-1.7');
    return { field: 'catalog', originalName: 'a.pdf', sha256, path, size, type: 'application/pdf' as const };
  };
  const named = (sha256: string) => ({ field: 'images', sha256, name: 'b.pdf', type: 'application/pdf' });
  const make = (...files: (Awaited<ReturnType<typeof part>> | ReturnType<typeof named>)[]) =>
    makeChange(desk, caller, {
      target: { op: 'create', resource: generators },
      path: '/create',
      texts: new Map([['name', 'x']]),
      files,
      key: 'a-key-of-mine',
    });
  return { incoming, log, changes, warned, part, named, make };
}

test('passes files in order, records which came from staging, and keeps large ones that were attached', async () => {
  const { incoming, log, changes, part, named, make } = await world();
  await make(await part('large', STAGED_FROM_BYTES), named('staged'), await part('small'));
  const [change] = changes;
  expect(change?.form.files.map(({ sha256, field }) => [sha256, field])).toEqual([
    ['large', 'catalog'],
    ['staged', 'images'],
    ['small', 'catalog'],
  ]);
  expect([change?.missing, change?.key?.key]).toEqual([[], 'a-key-of-mine']);
  expect(log).toEqual(['used by 7: staged', 'adopted of 7: large']);
  expect(await incoming()).toEqual([]);
});

test('reports a named file that is missing by its hash, and passes it in its place without bytes', async () => {
  const { incoming, changes, part, named, make } = await world();
  await make(named('nowhere'), await part('small'));
  expect(changes[0]?.missing).toEqual(['nowhere']);
  expect(changes[0]?.form.files).toMatchObject([
    { sha256: 'nowhere', field: 'images', size: 0, originalName: '', type: undefined },
    { sha256: 'small' },
  ]);
  expect(await incoming()).toEqual([]);
});

test('removes the fetched files of a change when another cannot be fetched', async () => {
  const { incoming, changes, part, named, make } = await world();
  await expect(make(named('staged'), named('unreadable'), await part('small'))).rejects.toThrow('away');
  await expect(make(named('staged'), named('staged-broken'))).rejects.toMatchObject({ code: 'EISDIR' });
  expect([changes.length, await incoming()]).toEqual([0, []]);
});

test('accepts the maximum number of files, refuses one more, and keeps none of those', async () => {
  const { incoming, changes, part, named, make } = await world();
  await make(await part('a'), named('staged'), named('nowhere'));
  await expect(make(await part('a'), await part('b'), named('staged'), named('nowhere'))).rejects.toMatchObject({
    status: 422,
    body: { code: 'too-many-files', message: 'Not more than 3 files can be sent in one request.' },
  });
  expect([changes.length, await incoming()]).toEqual([1, []]);
});

test('keeps nothing of a failed change, and completes one whose use of files cannot be recorded', async () => {
  const failing = await world({ store: new Error('away') });
  await expect(failing.make(await failing.part('large', STAGED_FROM_BYTES), failing.named('staged'))).rejects.toThrow(
    'away',
  );
  expect([failing.log, await failing.incoming()]).toEqual([[], []]);
  const made = await world({ noteUse: new Error('full'), adopt: new Error('away') });
  expect(await made.make(await made.part('large', STAGED_FROM_BYTES), made.named('staged'))).toMatchObject({
    answer: { id: 1 },
  });
  expect(made.warned).toEqual(['use of staged files not noted', 'a file that was sent is not kept']);
  expect(made.log).toEqual(['used by 7: staged', 'adopted of 7: large']);
});
