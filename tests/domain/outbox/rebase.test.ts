import { describe, expect, test } from 'vitest';
import {
  afterConfirmed,
  afterDiscarded,
  discardedBehind,
  withoutDiscarded,
} from '../../../src/domain/outbox/rebase.ts';
import type { Base, OutboxEntry } from '../../../src/domain/outbox/vocabulary.ts';
import { creating, deleting, editing, entryOf, fileOf, partner } from './samples.ts';

const first = entryOf(editing('7', partner('Acme', 'a'), partner('Acme Ltd', 'a'), '1'));
const second = entryOf(editing('7', partner('Acme Ltd', 'a'), partner('Acme Ltd', 'b'), '1'));

function baseOf({ change }: OutboxEntry): Base | undefined {
  return 'base' in change ? change.base : undefined;
}

describe('after an earlier change was confirmed', () => {
  test('a later one stands on the new version', () => {
    const later = afterConfirmed(second, first, { version: '2' });
    expect(later.change).toMatchObject({ values: partner('Acme Ltd', 'b'), base: { version: '2' } });
  });

  test('the create’s server id takes the place of the local one', () => {
    const create = entryOf(creating('local-1', partner('Acme', 'a')));
    const edit = entryOf(editing('local-1', partner('Acme', 'a'), partner('Acme', 'b')));
    const later = afterConfirmed(edit, create, { serverId: 12, version: '1' });
    expect(later.change).toMatchObject({ recordId: '12', base: { version: '1' } });
  });

  test('a deletion, which has no base, learns the id too', () => {
    const create = entryOf(creating('local-1', partner('Acme', 'a')));
    const deletion = entryOf(deleting('local-1'));
    const later = afterConfirmed(deletion, create, { serverId: 12, version: '1' });
    expect(later).toEqual({ ...deletion, change: deleting('12') });
  });

  test('one of a newer version of the app is left alone', () => {
    const newer = { ...second, schema: 99 };
    expect(afterConfirmed(newer, first, { version: '2' })).toBe(newer);
  });

  test('a field it did not touch takes what was sent in the end', () => {
    const sent = entryOf(editing('7', partner('Acme', 'a'), partner('Acme Ltd', 'theirs'), '1'));
    const edit = entryOf(editing('7', partner('Acme Ltd', 'a'), partner('Acme GmbH', 'a'), '1'));
    expect(afterConfirmed(edit, sent, { version: '3' }).change).toMatchObject({
      values: partner('Acme GmbH', 'theirs'),
      base: { values: partner('Acme Ltd', 'theirs'), version: '3' },
    });
  });

  test('the name of a file that it replaced is not known any more, and no other’s is forgotten', () => {
    const files = { image: 'old.png', catalog: 'old.pdf' };
    const edit = { ...editing('7', partner('Acme'), partner('Acme Ltd'), '1'), files: [fileOf('new', 'image')] };
    const next = editing('7', partner('Acme Ltd'), partner('Acme GmbH'), '1');
    const later = entryOf({ ...next, base: { ...next.base, files, imageIds: [1] } });
    const base = baseOf(afterConfirmed(later, entryOf(edit), { version: '2' }));
    expect(base).toMatchObject({ version: '2', imageIds: [1] });
    expect(base?.files).toEqual({ catalog: 'old.pdf' });
    expect(base).not.toHaveProperty('ownImagesAdded');
  });

  test('a field that was merged meanwhile and that it did touch is left to the server to tell', () => {
    const sent = entryOf(editing('7', partner('Acme', 'a'), partner('Acme Ltd', 'theirs'), '1'));
    const later = afterConfirmed(second, sent, { version: '3' });
    expect(baseOf(later)).toMatchObject({ version: '1', values: partner('Acme Ltd', 'a') });
  });

  test('removing an image brings no version to stand on: it would hide somebody else’s change', () => {
    const removal = entryOf({ op: 'delete-image', resource: 'partners', recordId: '7', imageId: 4, image: 'x.png' });
    const edit = entryOf({
      ...editing('7', partner('A'), partner('B'), '1'),
      base: { version: '1', values: partner('A'), imageIds: [4, 5] },
    });
    expect(baseOf(afterConfirmed(edit, removal, { version: '9' }))).toMatchObject({ version: '1', imageIds: [5] });
  });

  test('files of its own are not taken for somebody else’s', () => {
    const change = editing('7', partner('A'), partner('A'), '1');
    const sent = entryOf({ ...change, files: [fileOf('logo', 'image'), fileOf('photo')] });
    const deletion = entryOf({
      ...deleting('7'),
      base: { values: partner('A'), imageIds: [], files: { image: 'old.png', catalog: 'kept.pdf' } },
    } as OutboxEntry['change']);
    expect(baseOf(afterConfirmed(deletion, sent, {}))).toMatchObject({
      files: { catalog: 'kept.pdf' },
      ownImagesAdded: true,
    });
  });

  test('one that was carried over from another device follows too: there it has followed likewise', () => {
    const later = afterConfirmed({ ...second, delivery: ['attempt'] }, first, { version: '2' });
    expect(later.change).toMatchObject({ base: { version: '2' } });
  });
});

describe('after an earlier change was given up', () => {
  test('the fields that the later one did not touch go back to what was before', () => {
    expect(afterDiscarded(second, first).change).toMatchObject({
      values: partner('Acme', 'b'),
      base: { values: partner('Acme', 'a'), version: '1' },
    });
  });

  test('the fields that it did touch stay', () => {
    const touching = entryOf(editing('7', partner('Acme Ltd', 'a'), partner('Acme GmbH', 'a'), '1'));
    expect(afterDiscarded(touching, first).change).toMatchObject({
      values: partner('Acme GmbH', 'a'),
      base: { values: partner('Acme', 'a') },
    });
  });

  test('a delete’s base goes back too', () => {
    const deletion = entryOf({
      ...deleting('7'),
      base: { values: partner('Acme Ltd', 'a'), imageIds: [] },
    } as OutboxEntry['change']);
    expect(baseOf(afterDiscarded(deletion, first))?.values).toEqual(partner('Acme', 'a'));
  });

  test('one that was made on a newer version asks about the older: what somebody wrote meanwhile was hidden by what was given up', () => {
    const newer = entryOf(editing('7', partner('Acme Ltd', 'b'), partner('Acme GmbH', 'b'), '2'));
    expect(baseOf(afterDiscarded(newer, first))).toMatchObject({ values: partner('Acme', 'b'), version: '1' });
  });

  test('one that nothing of it goes back in stays on its version', () => {
    const newer = entryOf(editing('7', partner('Acme Inc', 'b'), partner('Acme Inc', 'c'), '2'));
    expect(baseOf(afterDiscarded(newer, first))).toMatchObject({ values: partner('Acme Inc', 'b'), version: '2' });
  });
});

describe('after earlier changes were given up of which nobody knows whether they have arrived', () => {
  const third = entryOf(editing('7', partner('Acme Ltd', 'b'), partner('Acme Ltd', 'c'), '1'));
  const again = entryOf(editing('7', partner('Acme Ltd', 'b'), partner('Acme GmbH', 'b'), '1'));
  const last = entryOf(editing('7', partner('Acme GmbH', 'b'), partner('Acme GmbH', 'c'), '1'));

  test('a later one stays as it was sent until it is known that it has not', () => {
    const kept = discardedBehind(third, first);
    expect(kept.change).toEqual(third.change);
    expect(withoutDiscarded(kept).change).toMatchObject({ values: partner('Acme', 'c') });
    expect(withoutDiscarded(kept)).not.toHaveProperty('discarded');
  });

  test.each([
    [
      'the first of them first',
      () => discardedBehind(discardedBehind(last, first), withoutDiscarded(discardedBehind(again, first))),
    ],
    ['the second of them first', () => discardedBehind(discardedBehind(last, again), first)],
  ])('a later one has nothing of either, %s', (_order, given) => {
    expect(withoutDiscarded(given()).change).toMatchObject({ values: partner('Acme', 'c') });
  });

  test('one of a newer version of the app is left alone', () => {
    const newer = { ...third, schema: 99 };
    expect(discardedBehind(newer, first)).toBe(newer);
  });
});
