import { expect, test } from 'vitest';
import { allReady, next } from '../../../src/domain/outbox/scheduler.ts';
import {
  filesForWifi,
  hasItsFiles,
  isMetered,
  missingFiles,
  type Travel,
  travellingFiles,
  type Upload,
} from '../../../src/domain/outbox/uploads.ts';
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

test('a large file travels before its change, which is sent once the file is there', () => {
  const entry = withFiles('local-1', small, large);
  expect(step([entry], travel())).toEqual({ do: 'stage', entry, file: large });
  expect(step([entry], travel(upload(large, { offset: 100 })))).toEqual({ do: 'stage', entry, file: large });
  expect(step([entry], travel(whole))).toEqual({ do: 'send', entry });
});

test('changes do not wait for files on a server without staging', () => {
  const entry = withFiles('local-1', large);
  expect(step([entry])).toEqual({ do: 'send', entry });
  expect(allReady({ entries: [entry], pause: undefined, administrator: '1' }, NOW)).toEqual([entry]);
});

test('changes without missing files go first, but never before an earlier change of their record', () => {
  const first = withFiles('local-1', large);
  const own = entryOf({ ...creating('local-1'), op: 'update', base: { values: {}, imageIds: [] } } as Change);
  const other = withFiles('local-2', small);
  expect(step([first, own, other], travel())).toEqual({ do: 'send', entry: other });
  expect(step([first, own], travel())).toEqual({ do: 'stage', entry: first, file: large });
  expect(
    allReady({ entries: [first, own, other], pause: undefined, administrator: '1', travel: travel() }, NOW),
  ).toEqual([other]);
});

test('the oldest of several large files travels first, and the first file of one change', () => {
  const second = fileOf('second', 'images', 300 * KB);
  const [one, other] = [withFiles('local-1', large, second), withFiles('local-2', fileOf('third', 'images', 400 * KB))];
  expect(step([one, other], travel())).toEqual({ do: 'stage', entry: one, file: large });
  expect(step([one, other], travel(whole))).toEqual({ do: 'stage', entry: one, file: second });
});

test.each<[string, Partial<Parameters<typeof allReady>[0]>]>([
  ['while the queue waits', { pause: { cause: 'busy', since: NOW - 1, until: NOW + 1, failures: 1 } }],
  ['while a sign-in is missing', { pause: { cause: 'signed-out', since: NOW - 1, failures: 0 } }],
  ['while nobody is signed in', { administrator: undefined }],
])('nothing is ready %s', (_when, queue) => {
  const entry = withFiles('local-1', small);
  expect(allReady({ entries: [entry], pause: undefined, administrator: '1', ...queue }, NOW)).toEqual([]);
});

test('a waiting file lets another one travel', () => {
  const second = fileOf('second', 'images', 300 * KB);
  const [one, other] = [withFiles('local-1', large), withFiles('local-2', second)];
  const waiting = upload(large, { notBefore: NOW + 4_000 });
  expect(step([one, other], travel(waiting))).toEqual({ do: 'stage', entry: other, file: second });
  expect(step([one], travel(waiting))).toEqual({ do: 'wait', until: NOW + 4_000 });
});

test('of several waiting files, the queue waits for the one that is due first', () => {
  const second = fileOf('second', 'images', 300 * KB);
  const entries = [withFiles('local-1', large), withFiles('local-2', second)];
  const [sooner, later] = [NOW + 4_000, NOW + 9_000];
  const waits = (one: number, other: number) =>
    step(entries, travel(upload(large, { notBefore: one }), upload(second, { notBefore: other })));
  expect(waits(sooner, later)).toEqual({ do: 'wait', until: sooner });
  expect(waits(later, sooner)).toEqual({ do: 'wait', until: sooner });
});

test('ignores a wait that a clock set back has made endless', () => {
  const entry = withFiles('local-1', large);
  const waiting = upload(large, { triedAt: NOW + 9_000, notBefore: NOW + 12_000 });
  expect(step([entry], travel(waiting))).toEqual({ do: 'stage', entry, file: large });
});

test('a paused file waits until it is resumed', () => {
  const entry = withFiles('local-1', large);
  expect(step([entry], travel(upload(large, { halted: true })))).toEqual({ do: 'idle' });
});

test('a file goes inside its change when something on the way refuses its pieces', () => {
  const entry = withFiles('local-1', large);
  expect(step([entry], travel(upload(large, { inside: true })))).toEqual({ do: 'send', entry });
});

test('many small files travel first too, so that a short-lived worker gets them through', () => {
  const many = Array.from({ length: 6 }, (_, index) => fileOf(`photo${index}`, 'images', 200 * KB));
  const entry = withFiles('local-1', ...many);
  expect(travellingFiles(entry, travel())).toEqual(many);
  const [first] = many;
  expect(missingFiles(entry, travel(upload(first as FileReference, { offset: 200 * KB })))).toEqual(many.slice(1));
  expect(travellingFiles(withFiles('local-1', ...many.slice(1)), travel())).toEqual([]);
});

test('a file at the staging threshold does not count as small', () => {
  const { fromBytes = 0 } = travel();
  const just = fileOf('just', 'images', fromBytes);
  const below = fileOf('below', 'images', fromBytes - 1);
  // as many bytes of small files as fit inside a change
  const fill = fileOf('fill', 'images', 1024 * KB - 4 * (fromBytes - 1));
  const inside = [below, ...['b', 'c', 'd'].map((id) => ({ ...below, id, sha256: id })), fill];
  expect(travellingFiles(withFiles('local-1', just, ...inside), travel())).toEqual([just]);
  const oneMore = fileOf('one-more', 'images', 1);
  expect(travellingFiles(withFiles('local-1', ...inside, oneMore), travel())).toEqual([...inside, oneMore]);
});

/** Only files over 500 kB wait for Wi-Fi, and the link is not Wi-Fi. */
function awayFromWifi(...uploads: Upload[]): Travel {
  return { ...travel(...uploads), wifiOver: 500 * KB, metered: true };
}

test('a link counts as metered only when the browser says so', () => {
  const types = ['cellular', 'bluetooth', 'wimax', 'none', 'wifi', 'ethernet', 'other', 'unknown', undefined];
  expect(types.filter(isMetered)).toEqual(['cellular', 'bluetooth', 'wimax', 'none']);
});

test('a file over the limit waits for Wi-Fi, and holds back only its own record', () => {
  const middle = fileOf('middle', 'images', 500 * KB);
  const [held, behind] = [
    withFiles('local-1', large, middle),
    entryOf({ ...creating('local-1'), op: 'update', base: { values: {}, imageIds: [] } } as Change),
  ];
  const other = withFiles('local-2', small);
  const away = awayFromWifi();
  expect(filesForWifi(held, away)).toEqual([large]);
  expect(step([held, behind, other], away)).toEqual({ do: 'send', entry: other });
  expect(step([held, behind], away)).toEqual({ do: 'stage', entry: held, file: middle });
  const isThere = awayFromWifi(upload(middle, { offset: middle.size }));
  expect(step([held, behind], isThere)).toEqual({ do: 'idle' });
  expect(
    allReady({ entries: [held, behind, other], pause: undefined, administrator: '1', travel: isThere }, NOW),
  ).toEqual([other]);
});

test.each<[string, Travel]>([
  ['over Wi-Fi', { ...awayFromWifi(), metered: false }],
  ['without that setting', { ...travel(), metered: true }],
  ['that someone sends anyway', awayFromWifi(upload(large, { anyway: true }))],
])('no file waits for Wi-Fi %s', (_when, how) => {
  const entry = withFiles('local-1', large);
  expect(filesForWifi(entry, how)).toEqual([]);
  expect(step([entry], how)).toEqual({ do: 'stage', entry, file: large });
});

test('a change whose large files are there is sent over any link', () => {
  const entry = withFiles('local-1', large);
  expect(step([entry], awayFromWifi(whole))).toEqual({ do: 'send', entry });
});

test('a file that travels inside its change waits for Wi-Fi too, together with its change', () => {
  const entry = withFiles('local-1', large);
  const inside = awayFromWifi(upload(large, { inside: true }));
  const { fromBytes: _, ...plain } = awayFromWifi();
  for (const how of [inside, plain]) {
    expect(hasItsFiles(entry, how)).toBe(false);
    expect(step([entry], how)).toEqual({ do: 'idle' });
  }
});
