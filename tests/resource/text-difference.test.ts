import { expect, test } from 'vitest';
import { fromDifference } from '../../src/features/outbox/changed-values.ts';
import { textDifference } from '../../src/features/outbox/text-difference.ts';

const before = 'Forty panels on the roof of the mill.';

test('marks the words of a long text that are new and those that are gone', () => {
  expect(textDifference(before, before.replace('roof', 'flat roof').replace('Forty', 'Fifty'))).toEqual([
    { text: 'Forty', kind: 'removed' },
    { text: 'Fifty', kind: 'added' },
    { text: ' panels on the ', kind: 'same' },
    { text: 'flat ', kind: 'added' },
    { text: 'roof of the mill.', kind: 'same' },
  ]);
});

test('reassembles the new text from its pieces, whatever changed', () => {
  const text = 'On the roof:\nforty panels,\r\n  and the mill.';
  const pieces = textDifference(before, text).filter(({ kind }) => kind !== 'removed');
  expect(pieces.map((piece) => piece.text).join('')).toBe(text);
});

test.each([
  ['a short text', 'Blue Ridge', 'Blue Ridge Electric'],
  ['an empty one', '', before],
  ['a long one in place of a short one', 'Blue Ridge', before],
  ['a long one that holds the short one before it', 'Forty panels', before],
  ['a short one out of the long one before it', before, 'Forty panels'],
  ['one that is all new', before, 'Seven lamps beside both highways'],
  ['one that differs in line ends alone', `${before}\nEnd`, `${before}\r\nEnd`],
])('shows %s without marks', (_what, old, text) => {
  expect(textDifference(old, text)).toEqual([{ text, kind: 'same' }]);
});

test('shortens a common start only when it is long, at a word before the difference', () => {
  expect(fromDifference('A new panel on a roof', 'A new panel on the roof')).toEqual([
    'A new panel on a roof',
    'A new panel on the roof',
  ]);
  expect(fromDifference(before, before.replace('mill', 'barn'))).toEqual([
    '… roof of the mill.',
    '… roof of the barn.',
  ]);
});
