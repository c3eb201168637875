import { expect, test } from 'vitest';
import { allReady, next } from '../../../src/domain/outbox/scheduler.ts';
import { missingFiles, type Travel, travellingFiles, type Upload } from '../../../src/domain/outbox/uploads.ts';
import type { Change, FileReference, OutboxEntry } from '../../../src/domain/outbox/vocabulary.ts';
import { creating, entryOf, fileOf, NOW } from './samples.ts';

const KB = 1024;
const large = fileOf('large', 'images', 700 * KB);
const small = fileOf('small', 'images', 20 * KB);

function withFiles(recordId: string, ...files: FileReference[]): OutboxEntry {
  return entryOf({ ...creating(recordId), files } as Change);
}

function travel(...uploads: Upload[]): Travel {
  return { fromBytes: 256 * KB, uploads: new Map(uploads.map((one) => [one.sha256, one])) };
}

function upload({ sha256, size }: FileReference, more: Partial<Upload> = {}): Upload {
  return { sha256, size, offset: 0, failures: 0, restarts: 0, triedAt: NOW - 1_000, ...more };
}

const whole = upload(large, { offset: large.size });

function step(entries: readonly OutboxEntry[], how?: Travel) {
  return next({ entries, pause: undefined, administrator: '1', travel: how }, NOW);
}

test('a large file goes on before its change, which goes when the file is there', () => {
  const entry = withFiles('local-1', small, large);
  expect(step([entry], travel())).toEqual({ do: 'stage', entry, file: large });
  expect(step([entry], travel(upload(large, { offset: 100 })))).toEqual({ do: 'stage', entry, file: large });
  expect(step([entry], travel(whole))).toEqual({ do: 'send', entry });
});

test('on a server that takes no files before their changes, nothing waits for them', () => {
  const entry = withFiles('local-1', large);
  expect(step([entry])).toEqual({ do: 'send', entry });
  expect(allReady({ entries: [entry], pause: undefined, administrator: '1' }, NOW)).toEqual([entry]);
});

test('what needs no file goes before what does, and never before an earlier change of its record', () => {
  const first = withFiles('local-1', large);
  const own = entryOf({ ...creating('local-1'), op: 'update', base: { values: {}, imageIds: [] } } as Change);
  const other = withFiles('local-2', small);
  expect(step([first, own, other], travel())).toEqual({ do: 'send', entry: other });
  expect(step([first, own], travel())).toEqual({ do: 'stage', entry: first, file: large });
  expect(
    allReady({ entries: [first, own, other], pause: undefined, administrator: '1', travel: travel() }, NOW),
  ).toEqual([other]);
});

test('of several large files the oldest one goes on, and of one change the first', () => {
  const second = fileOf('second', 'images', 300 * KB);
  const [one, other] = [withFiles('local-1', large, second), withFiles('local-2', fileOf('third', 'images', 400 * KB))];
  expect(step([one, other], travel())).toEqual({ do: 'stage', entry: one, file: large });
  expect(step([one, other], travel(whole))).toEqual({ do: 'stage', entry: one, file: second });
});

test.each<[string, Partial<Parameters<typeof allReady>[0]>]>([
  ['while the queue waits', { pause: { cause: 'busy', since: NOW - 1, until: NOW + 1, failures: 1 } }],
  ['while a sign-in is owed', { pause: { cause: 'signed-out', since: NOW - 1, failures: 0 } }],
  ['while nobody is signed in', { administrator: undefined }],
])('nothing is ready %s', (_when, queue) => {
  const entry = withFiles('local-1', small);
  expect(allReady({ entries: [entry], pause: undefined, administrator: '1', ...queue }, NOW)).toEqual([]);
});

test('a file that waits lets another one go on', () => {
  const second = fileOf('second', 'images', 300 * KB);
  const [one, other] = [withFiles('local-1', large), withFiles('local-2', second)];
  const waiting = upload(large, { notBefore: NOW + 4_000 });
  expect(step([one, other], travel(waiting))).toEqual({ do: 'stage', entry: other, file: second });
  expect(step([one], travel(waiting))).toEqual({ do: 'wait', until: NOW + 4_000 });
});

test('a wait that a clock which was set back has made endless is none', () => {
  const entry = withFiles('local-1', large);
  const waiting = upload(large, { triedAt: NOW + 9_000, notBefore: NOW + 12_000 });
  expect(step([entry], travel(waiting))).toEqual({ do: 'stage', entry, file: large });
});

test('a file that somebody has halted waits for nobody but them', () => {
  const entry = withFiles('local-1', large);
  expect(step([entry], travel(upload(large, { halted: true })))).toEqual({ do: 'idle' });
});

test('a file that something on the way takes no pieces of goes inside its change', () => {
  const entry = withFiles('local-1', large);
  expect(step([entry], travel(upload(large, { inside: true })))).toEqual({ do: 'send', entry });
});

test('small files travel first too where they are many: a worker that is ended soon gets them through', () => {
  const many = Array.from({ length: 6 }, (_, index) => fileOf(`photo${index}`, 'images', 200 * KB));
  const entry = withFiles('local-1', ...many);
  expect(travellingFiles(entry, travel())).toEqual(many);
  const [first] = many;
  expect(missingFiles(entry, travel(upload(first as FileReference, { offset: 200 * KB })))).toEqual(many.slice(1));
  expect(travellingFiles(withFiles('local-1', ...many.slice(1)), travel())).toEqual([]);
});
