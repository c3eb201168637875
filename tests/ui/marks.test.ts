import { expect, test } from 'vitest';
import { markOf } from '../../src/resource/list/marks.ts';

test('a row without waiting changes has no mark', () => {
  expect(markOf({})).toBeUndefined();
});

test.each([
  ['create', 'queued', 'New, waiting'],
  ['update', 'waiting', 'Changed, waiting'],
  ['delete', 'queued', 'Deletion, waiting'],
  ['create', 'sending', 'Sending'],
  ['update', 'conflict', 'Edited by someone else too'],
  ['create', 'refused', 'Needs attention'],
] as const)('a %s that is %s says "%s"', (pending, state, words) => {
  expect(markOf({ pending, state })?.words).toBe(words);
});

test('a row of which nobody knows whether it has arrived says so', () => {
  expect(markOf({ pending: 'create', state: 'uncertain' })?.words).toBe('New, checking whether it was saved');
  expect(markOf({ pending: 'update', state: 'uncertain' })?.words).toBe('Changed, checking whether it was saved');
});
