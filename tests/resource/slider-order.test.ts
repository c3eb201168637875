import { expect, test } from 'vitest';
import { bySerial, movedTo, renumbered, type Slide, withStored } from '../../src/resource/sliders/order-rules.ts';

const slide = (recordId: string, serial: string): Slide => ({
  recordId,
  values: { text: `Slide ${recordId}`, serial },
  base: { values: {}, imageIds: [] },
  image: '',
});
const ids = (slides: readonly Slide[]) => slides.map(({ recordId }) => recordId).join('');

test('orders slides by serial, as numbers, with those without one last', () => {
  expect(ids(bySerial([slide('a', '10'), slide('b', '9'), slide('c', ''), slide('d', '9')]))).toBe('bdac');
});

test('a slide moves to the typed place, or to the nearest end', () => {
  const slides = [slide('a', '1'), slide('b', '2'), slide('c', '3')];
  expect(ids(movedTo(slides, 'c', 0))).toBe('cab');
  expect(ids(movedTo(slides, 'a', 99))).toBe('bca');
  expect(ids(movedTo(slides, 'b', -4))).toBe('bac');
  expect(ids(movedTo(slides, 'c', -1))).toBe('cab');
  expect(ids(movedTo(slides, 'gone', 0))).toBe('abc');
});

test('only slides whose serial changes are saved, with all their values', () => {
  const moved = movedTo([slide('a', '1'), slide('b', '2'), slide('c', '3')], 'c', 1);
  expect(renumbered(moved).map(({ slide: { recordId }, values }) => [recordId, values])).toEqual([
    ['c', { text: 'Slide c', serial: '2' }],
    ['b', { text: 'Slide b', serial: '3' }],
  ]);
});

test('saves only the remaining slides after some were stored, and compares them with what was stored', () => {
  const moved = movedTo([slide('a', '1'), slide('b', '2'), slide('c', '3')], 'c', 0);
  const left = withStored(moved, renumbered(moved).slice(0, 2));
  expect(renumbered(left).map(({ slide: { recordId } }) => recordId)).toEqual(['b']);
  expect(left.map(({ base }) => base.values['serial'])).toEqual(['1', '2', undefined]);
});
