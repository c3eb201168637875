import { describe, expect, test } from 'vitest';
import { companions } from '../../../src/domain/outbox/together.ts';
import type { Change, OutboxEntry } from '../../../src/domain/outbox/vocabulary.ts';
import { creating, deleting, editing, entryOf, fileOf, type MoreFacts, NOW, partner } from './samples.ts';

const ABOUT = { resource: 'partners', recordId: '7' } as const;
const base = (version: string) => ({ version, values: partner('Acme', 'a'), imageIds: [4, 5] });

const head = entryOf(editing('7', partner('Acme', 'a'), partner('Acme Ltd', 'a'), '1'));
const second = (more: MoreFacts = {}) =>
  entryOf(editing('7', partner('Acme Ltd', 'a'), partner('Acme Ltd', 'b'), '1'), more);
const third = entryOf(editing('7', partner('Acme Ltd', 'b'), partner('Acme GmbH', 'b'), '1'));
const other = entryOf(editing('8', partner('Other', 'a'), partner('Other Ltd', 'a'), '3'));

function together(entries: readonly OutboxEntry[], more: Partial<Parameters<typeof companions>[0]> = {}) {
  return companions({ entries, pause: undefined, administrator: '1', ...more }, NOW);
}

const idsOf = (entries: readonly OutboxEntry[], more = {}) => together(entries, more).map(({ entry }) => entry.id);

describe('a batch', () => {
  test('takes the first change of each record, then the changes that follow them', () => {
    const follower = second();
    expect(together([head, follower, other, third])).toMatchObject([
      { entry: head },
      { entry: other },
      { entry: follower, after: { id: head.id } },
      { entry: third, after: { id: follower.id } },
    ]);
    expect(together([head])[0]).not.toHaveProperty('after');
  });

  test('carries a later change as it will be once the one before it is confirmed', () => {
    const sent = entryOf(editing('7', partner('Acme', 'a'), partner('Acme Ltd', 'z'), '1'));
    const [, follower] = together([
      sent,
      entryOf(editing('7', partner('Acme Ltd', 'a'), partner('Acme Inc', 'a'), '1')),
    ]);
    expect(follower?.change).toMatchObject({ values: partner('Acme Inc', 'z'), base: { values: { link: 'z' } } });
  });

  test('names a record that it creates by its local id', () => {
    const create = entryOf(creating('local-1', partner('Acme', 'a')), { attempts: 1, delivery: ['attempt'] });
    const edit = entryOf(editing('local-1', partner('Acme', 'a'), partner('Acme', 'b')));
    expect(together([create, edit])).toMatchObject([
      { entry: create },
      { change: { recordId: 'local-1' }, after: { id: create.id } },
    ]);
  });

  const stops: [string, OutboxEntry][] = [
    ['was tried before', second({ attempts: 1 })],
    ['may be delivered', second({ delivery: ['attempt'] })],
    ['was exported', second({ delivery: ['export'] })],
    ['waits by itself', second({ notBefore: NOW + 1_000, createdAt: NOW })],
    ['needs the administrator', second({ state: 'attention', reason: { code: 'refused', message: 'No.' } })],
    [
      'came from a form that had not seen the change before it',
      entryOf(editing('7', partner('Acme', 'a'), partner('Acme Inc', 'a'), '1')),
    ],
    ['removes the record, which can be undone until it is sent', entryOf(deleting('7'), { attempts: 1 })],
    [
      'removes an image based on another version',
      entryOf({ op: 'delete-image', ...ABOUT, imageId: 4, image: 'x.png', base: base('0') }, { attempts: 1 }),
    ],
  ];

  test.each(stops)('stops for a record at a change that %s', (_what, stop) => {
    expect(idsOf([head, stop, third, other])).toEqual([head.id, other.id]);
  });

  test('stops for a record at an edit whose file is still travelling', () => {
    const photo = fileOf('large', 'image', 900);
    const edit = entryOf({ ...(second().change as Extract<Change, { op: 'update' }>), files: [photo] });
    const upload = { sha256: photo.sha256, size: 900, offset: 0, failures: 0, restarts: 0, triedAt: 0 };
    const travel = (offset: number) => ({
      travel: { fromBytes: 500, uploads: new Map([[photo.sha256, { ...upload, offset }]]) },
    });
    expect(idsOf([head, edit], travel(899))).toEqual([head.id]);
    expect(idsOf([head, edit], travel(900))).toEqual([head.id, edit.id]);
  });

  test('includes removals of images, each based on the version that the one before leaves', () => {
    const removal = (imageId: number) =>
      entryOf({ op: 'delete-image', ...ABOUT, imageId, image: `${imageId}.png`, base: base('1') });
    const [first, next] = [removal(4), removal(5)];
    expect(idsOf([first, next, third])).toEqual([first.id, next.id, third.id]);
  });

  test('stops after a removal that may hide someone else’s change', () => {
    const removal = entryOf({ op: 'delete-image', ...ABOUT, imageId: 4, image: 'x.png', base: base('0') });
    expect(idsOf([removal, second(), other])).toEqual([removal.id, other.id]);
  });

  test('is empty while the queue waits, and skips a record whose first change waits', () => {
    const pause = { cause: 'busy', since: NOW, until: NOW + 1_000, failures: 1 } as const;
    expect(idsOf([head, second()], { pause })).toEqual([]);
    const waiting = { ...head, notBefore: NOW + 1_000, createdAt: NOW } as OutboxEntry;
    expect(idsOf([waiting, second(), other])).toEqual([other.id]);
    expect(idsOf([head], { administrator: undefined })).toEqual([]);
  });
});
