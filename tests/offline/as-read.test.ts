import { expect, test } from 'vitest';
import { droppedFiles, isAsRead } from '../../src/offline/sender/sender.ts';
import { editing, entryOf, fileOf, partner } from '../domain/outbox/samples.ts';

const edit = () => editing('5', partner('A'), partner('B'), '1');

test('an entry is unchanged since it was read only if it was not edited, exported or deleted', () => {
  const entry = entryOf(edit());
  expect(isAsRead({ ...entry, title: 'Other' }, entry)).toBe(true);
  expect(isAsRead({ ...entry, delivery: ['export'] }, entry)).toBe(false);
  expect(isAsRead(undefined, entry)).toBe(false);
});

test('dropped files are told apart by their ids, not by their bytes', () => {
  const [one, same] = [fileOf('one'), { ...fileOf('two'), sha256: fileOf('one').sha256 }];
  const before = entryOf({ ...edit(), files: [one, same] });
  expect(droppedFiles(before, entryOf({ ...edit(), files: [same] }))).toEqual([one]);
  expect(droppedFiles(before, before)).toEqual([]);
});
