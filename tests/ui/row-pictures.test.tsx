import 'fake-indexeddb/auto';
import { cleanup, render } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { outbox } from '../../src/api/outbox.ts';
import type { PendingRow } from '../../src/domain/outbox/optimistic-view.ts';
import { resourceOf } from '../../src/domain/resources/index.ts';
import { ListRows } from '../../src/resource/list/list-rows.tsx';
import { ListTable } from '../../src/resource/list/list-table.tsx';
import { soon } from '../harness/soon.ts';
import { stubResizeObserver } from './unmeasured.ts';

beforeEach(stubResizeObserver);
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const LISTS = [
  ['a table', ListTable],
  ['rows for narrow screens', ListRows],
] as const;

function show(List: (typeof LISTS)[number][1], name: 'certifications' | 'generators', rows: readonly object[]) {
  const selection = { selected: new Set<string>(), allSelected: false, onSelectAll: vi.fn() };
  const list = { resource: resourceOf(name), rows: rows as PendingRow[], sort: undefined, onSort: vi.fn() };
  return render(<List {...list} {...selection} />).container;
}

test.each(LISTS)('in %s every picture is as wide as its column, even a local or missing one', (_, List) => {
  const localImage = { field: 'image', entryId: 'e', fileId: 'f' };
  const rows = [
    { recordId: '1', name: 'Stored', image: 'a.png' },
    { recordId: '2', name: 'Here', image: '', pending: 'create', localImage },
    { recordId: '3', name: 'Missing', image: '' },
  ];
  const pictures = [...show(List, 'certifications', rows).querySelectorAll<HTMLElement>('.row-image')];
  expect(pictures.map(({ style }) => style.width)).toEqual(['100px', '100px', '100px']);
});

const NEW = [
  ['the picture of a new record', ''],
  ['a picture that replaces another one', 'old.png'],
] as const;

test.each(LISTS.flatMap(([place, List]) => NEW.map(([picture, image]) => [picture, place, List, image] as const)))(
  '%s is shown in %s before it is sent',
  async (_, __, List, image) => {
    Object.assign(URL, { createObjectURL: () => 'blob:new', revokeObjectURL: () => {} });
    vi.spyOn(outbox, 'file').mockResolvedValue(new File(['new'], 'new.png'));
    const localImage = { field: 'image', entryId: 'e', fileId: 'f' };
    const rows = [{ recordId: '1', name: 'Waiting', image, pending: 'edit', localImage }];
    const list = show(List, 'certifications', rows);
    await soon(() => expect(list.querySelector('.row-image')?.getAttribute('src')).toBe('blob:new'));
  },
);

test('reserves space for photos as soon as one row may have some', () => {
  const rows = [
    { recordId: '1', brand: 'Perkins', photo: '' },
    { recordId: 'local-2', brand: 'Perkins' },
  ];
  const photos = (told: readonly object[]) =>
    show(ListRows, 'generators', told).querySelector<HTMLElement>('[data-photos]')?.dataset['photos'];
  expect(photos(rows)).toBe('true');
  cleanup();
  expect(photos(rows.slice(1))).toBe('false');
});
