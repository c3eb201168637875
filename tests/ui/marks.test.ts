import { expect, test } from 'vitest';
import { markOf } from '../../src/resource/list/marks.ts';

test('a row without waiting changes has no mark', () => {
  expect(markOf({})).toBeUndefined();
});

test.each([
  ['create', 'waiting', 'New, waiting'],
  ['update', 'waiting', 'Changed, waiting'],
  ['delete', 'waiting', 'Deletion, waiting'],
  ['delete', 'sending', 'Deletion, waiting'],
  ['delete', 'refused', 'Needs attention'],
  ['create', 'sending', 'Sending'],
  ['update', 'conflict', 'Edited by someone else too'],
  ['create', 'refused', 'Needs attention'],
] as const)('a %s that is %s says "%s"', (pending, status, words) => {
  expect(markOf({ pending, status })?.words).toBe(words);
});

test('says that it is unknown whether a row was saved', () => {
  expect(markOf({ pending: 'create', status: 'checking' })?.words).toBe('New, checking whether it was saved');
  expect(markOf({ pending: 'update', status: 'checking' })?.words).toBe('Changed, checking whether it was saved');
});

test('emphasizes what needs attention, strikes through deletions, and keeps waiting rows quiet', () => {
  const tones = (
    [
      ['create', 'refused'],
      ['update', 'conflict'],
      ['delete', 'conflict'],
      ['delete', 'waiting'],
      ['update', 'sending'],
      ['create', 'checking'],
      ['create', 'waiting'],
      ['update', 'waiting'],
    ] as const
  ).map(([pending, status]) => markOf({ pending, status })?.tone);
  expect(tones).toEqual(['attention', 'attention', 'attention', 'leaving', 'waiting', 'waiting', 'waiting', 'waiting']);
});
