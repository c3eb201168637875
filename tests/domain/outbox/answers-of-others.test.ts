import { expect, test } from 'vitest';
import { isServers, sourceOf } from '../../../src/domain/outbox/classify.ts';
import { afterDiscarded } from '../../../src/domain/outbox/rebase.ts';
import { refusalErrors } from '../../../src/domain/outbox/refusal-errors.ts';
import { refusedByFile } from '../../../src/domain/outbox/refused-file.ts';
import { next } from '../../../src/domain/outbox/scheduler.ts';
import { ENTRY_SCHEMA, type FileReference, type UpdateChange } from '../../../src/domain/outbox/vocabulary.ts';
import { creating, deleting, editing, entryOf, fileOf, NOW, partner } from './samples.ts';

const MB = 1024 * 1024;

test.each([
  [200, true, false, 'server'],
  [422, true, false, 'server'],
  [500, true, false, 'server'],
  [304, false, false, 'server'],
  [200, true, true, 'portal'],
  [200, false, false, 'portal'],
  [302, false, false, 'portal'],
  [511, true, false, 'portal'],
  [502, true, false, 'gateway'],
  [504, false, false, 'gateway'],
  [403, false, false, 'other'],
  [500, false, false, 'other'],
] as const)(
  'attributes an answer with status %i (JSON: %s, redirected: %s) to the %s',
  (status, json, redirected, source) => {
    expect(sourceOf({ status, json, redirected })).toBe(source);
    expect(isServers({ status, json, redirected, body: {} })).toBe(source === 'server');
  },
);

test('a missing answer does not count as the server’s', () => {
  expect(isServers(undefined)).toBe(false);
});

test('reports a refused file at its position among the photos, together with the other errors', () => {
  const reason = { code: 'too-large', status: 413, message: 'Too large.' } as const;
  const [first, second, sheet] = [fileOf('a'), fileOf('b'), fileOf('c', 'catalog')];
  const files: FileReference[] = [sheet, first, second];
  const base = { values: {}, imageIds: [] };
  const change = { op: 'update', resource: 'generators', recordId: '7', values: { brand: '' }, files, base } as const;
  const told = (file: FileReference, refused: UpdateChange = change) =>
    refusalErrors({ change: refused, reason: refusedByFile(refused, file, reason, MB) });
  expect(told(second)).toMatchObject({ 'images.1': ['Too large.'], brand: ['The brand field is required.'] });
  expect(told(first)).toMatchObject({ 'images.0': ['Too large.'] });
  expect(told(sheet)).toMatchObject({ catalog: ['Too large.'] });
  // an edit keeps the photo that is stored
  const edit = { ...change, files: [sheet], base: { values: {}, imageIds: [1] } };
  expect(told(sheet, edit)).not.toHaveProperty('images');
});

test('adds nothing to what the server said of a whole change', () => {
  const errors = { link: ['The link is taken.'] };
  const change = editing('7', partner('A'), { ...partner('B'), brand_name: '' });
  expect(refusalErrors({ change, reason: { code: 'refused', message: 'No.', errors } })).toBe(errors);
  expect(refusalErrors({ change, reason: { code: 'blocked', message: 'No.' } })).toEqual({});
});

test('does not rebase an entry of a newer version when an earlier change is discarded', () => {
  const newer = { ...entryOf(editing('7', partner('B'), partner('C'))), schema: ENTRY_SCHEMA + 1 };
  expect(afterDiscarded(newer, entryOf(editing('7', partner('A'), partner('B'))))).toBe(newer);
});

test('holds a change to a row back while the administrator is asked whether it is their new record', () => {
  const reason = { code: 'several-candidates', message: 'Did this save?' } as const;
  const asked = entryOf(creating('local-1'), { state: 'attention', reason, candidates: [7, 8] });
  const [own, other] = [entryOf(deleting('8')), entryOf(deleting('9'))];
  const step = (...entries: (typeof own)[]) => next({ entries, pause: undefined, administrator: '1' }, NOW);
  expect(step(asked, own)).toEqual({ do: 'idle' });
  expect(step(asked, own, other)).toEqual({ do: 'send', entry: other });
});
