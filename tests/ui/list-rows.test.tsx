import 'fake-indexeddb/auto';
import { cleanup, render, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { outbox } from '../../src/api/outbox.ts';
import type { PendingRow } from '../../src/domain/outbox/optimistic-view.ts';
import { resourceOf } from '../../src/domain/resources/index.ts';
import { ListRows } from '../../src/resource/list/list-rows.tsx';
import { stubResizeObserver } from './unmeasured.ts';

/** The rows of a list on a narrow screen. */

beforeEach(stubResizeObserver);
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const generator = (id: number, more: object = {}): PendingRow =>
  ({ recordId: String(id), brand: `Brand ${id}`, generator_model: 'G', capacity: '20 kVA', ...more }) as PendingRow;

function show(
  rows: readonly PendingRow[],
  more: object = {},
  name: 'generators' | 'partners' | 'certifications' = 'generators',
) {
  const selection = { selected: new Set<string>(), allSelected: false, onSelectAll: vi.fn(), ...more };
  render(<ListRows resource={resourceOf(name)} rows={rows} sort={undefined} onSort={vi.fn()} {...selection} />);
  return screen.getAllByRole('listitem');
}

test('names the list, and gives each row its position among all', () => {
  const rows = show(Array.from({ length: 100 }, (_, at) => generator(at + 1)));
  expect(screen.getByRole('list', { name: 'All Generators' })).toBeDefined();
  expect(rows.length).toBeLessThan(100);
  expect(['aria-posinset', 'aria-setsize'].map((name) => rows[1]?.getAttribute(name))).toEqual(['2', '100']);
  expect(rows[1]?.textContent).toContain('Sl 2');
});

test('shows a row’s name, other column and facts, and links to its record', () => {
  const [row] = show([generator(7)]) as [HTMLElement];
  expect(within(row).getByRole('link', { name: 'Brand 7' }).getAttribute('href')).toBe('/generator-edit/7');
  expect(within(row).getByText('G')).toBeDefined();
  expect(within(row).getByText('20 kVA')).toBeDefined();
});

test('shows the fact of a row beside a picture, and nothing for an empty one', () => {
  const rows = [
    { recordId: '1', category: 'Solar Panels', name: 'IEC 61215', image: '' },
    { recordId: '2', category: '', name: 'IEC 62109', image: '' },
  ];
  const told = show(rows, {}, 'certifications').map((row) => row.querySelector('.row-fact')?.textContent);
  expect(told).toEqual(['Solar Panels', '']);
});

test('shows waiting changes in words and style, and lets a deletion be undone', () => {
  const [waiting, leaving] = show([
    generator(1, { pending: 'update', status: 'waiting', entryId: 'a' }),
    generator(2, { pending: 'delete', status: 'waiting', entryId: 'b' }),
  ]) as [HTMLElement, HTMLElement];
  expect(waiting.textContent).toContain('Changed, waiting');
  expect(waiting.querySelector('.mark [title="Changed, waiting"]')).not.toBeNull();
  expect(leaving.textContent).toContain('Deletion, waiting');
  expect(leaving.querySelector('[data-row]')?.getAttribute('data-pending')).toBe('delete');
  expect(
    within(leaving)
      .getAllByRole('button')
      .map(({ ariaLabel }) => ariaLabel),
  ).toEqual(['Undo the deletion of Brand 2 G']);
});

test('marks a selected row and one that was just saved', () => {
  const rows = show([generator(1), generator(2)], { selected: new Set(['1']), arrived: '2' });
  const marks = rows.map((row) => {
    const { selected, arrived } = row.querySelector<HTMLElement>('[data-row]')?.dataset ?? {};
    return [selected, arrived];
  });
  expect(marks).toEqual([
    ['true', undefined],
    ['false', 'true'],
  ]);
  expect(screen.getByRole('checkbox', { name: 'Select Brand 1 G' })).toHaveProperty('checked', true);
  expect(screen.getByRole('checkbox', { name: 'Select Brand 2 G' })).toHaveProperty('checked', false);
});

test('a record of a kind with pictures shows its own beside its name', () => {
  const [row] = show([{ recordId: '1', name: 'Helios', image: 'helios.webp', link: '' }], {}, 'partners') as [
    HTMLElement,
  ];
  expect(row.querySelector('.row-lead img')?.getAttribute('src')).toContain('helios.webp');
  expect(within(row).getByRole('link', { name: 'Helios' })).toBeDefined();
});

test('shows all facts of a row in one line, skipping empty ones', () => {
  const [full, part] = show([
    generator(1, { series: 'Perkins', origin: 'UK' }),
    generator(2, { series: '', origin: 'UK' }),
  ]) as [HTMLElement, HTMLElement];
  expect(within(full).getByText('20 kVA · Perkins · UK')).toBeDefined();
  expect(within(part).getByText('20 kVA · UK')).toBeDefined();
});

test('a record without a picture column shows its photo, stored or still on this device', async () => {
  const localImage = { id: 'p', field: 'images', name: 'p.gif', type: 'image/gif', size: 4, sha256: 'ab' };
  vi.spyOn(outbox, 'file').mockResolvedValue(new File(['GIF8'], 'p.gif'));
  URL.createObjectURL = () => 'blob:p';
  URL.revokeObjectURL = () => {};
  const [stored, local, none] = show([
    generator(1, { photo: 'perkins.webp' }),
    generator(2, { photo: '', localImage }),
    generator(3, { photo: '' }),
  ]) as [HTMLElement, HTMLElement, HTMLElement];
  expect(stored.querySelector('img.row-photo')?.getAttribute('src')).toContain('perkins.webp');
  await waitFor(() => expect(local.querySelector('img.row-photo')?.getAttribute('src')).toBe('blob:p'));
  expect(none.querySelector('img')).toBeNull();
  expect(screen.getByRole('list', { name: 'All Generators' }).dataset['photos']).toBe('true');
  cleanup();
  show([generator(1)]);
  expect(screen.getByRole('list', { name: 'All Generators' }).dataset['photos']).toBe('false');
  vi.restoreAllMocks();
});

test('names and links a record whose first column is empty', () => {
  const [row] = show([generator(7, { brand: '' })]) as [HTMLElement];
  expect(within(row).getByRole('link', { name: 'G' }).getAttribute('href')).toBe('/generator-edit/7');
});
