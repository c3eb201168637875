import 'fake-indexeddb/auto';
import { expect, test, vi } from 'vitest';
import { outbox } from '../../src/api/outbox.ts';
import { fieldOf } from '../../src/domain/resource.ts';
import type { ValueField } from '../../src/domain/fields.ts';
import { resourceOf } from '../../src/domain/resources/index.ts';
import { saveCell } from '../../src/resource/list/save-cell.ts';

vi.mock('../../src/resource/csv/whole-rows.ts', () => ({ completeRows: async (_: unknown, rows: unknown) => rows }));

const partners = resourceOf('partners');
const field = fieldOf(partners, 'name') as ValueField;
const row = { recordId: '7', name: 'Sun', link: '', version: 'v3' };

async function save(parts: object, value = 'Moon') {
  const enqueue = vi.spyOn(outbox, 'enqueue').mockResolvedValue({ id: 'x', createdAt: 1 } as never);
  enqueue.mockClear();
  vi.spyOn(outbox, 'follow').mockResolvedValue({ id: 'x', state: 'done', receipt: { message: 'Saved.' } } as never);
  const edit = { resource: partners, row: { ...row, ...parts }, field, value };
  return { result: await saveCell(edit, '7', () => true), draft: enqueue.mock.lastCall?.[0] };
}

test('saves a cell based on the list’s version, with all other texts unchanged', async () => {
  const { result, draft } = await save({});
  expect(result).toEqual({ kind: 'saved', message: 'Saved.' });
  const base = { version: 'v3', values: { name: 'Sun', link: '' }, imageIds: [] };
  expect(draft).toMatchObject({ op: 'update', recordId: '7', values: { name: 'Moon', link: '' }, base });
});

test('saves a cell of a row with waiting changes without a version, as the server has not seen it', async () => {
  const { draft } = await save({ pending: 'update' });
  expect(draft).not.toHaveProperty('base.version');
});

test('does not save a row with an unknown text, which would be emptied', async () => {
  expect(await save({ link: undefined })).toEqual({ result: { kind: 'unknown' }, draft: undefined });
});

test('ignores an unchanged value', async () => {
  expect(await save({}, 'Sun')).toEqual({ result: { kind: 'unchanged' }, draft: undefined });
});
