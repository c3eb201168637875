import 'fake-indexeddb/auto';
import { cleanup, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { PendingRow } from '../../src/domain/outbox/optimistic-view.ts';
import type { Resource } from '../../src/domain/resource.ts';
import { resourceOf } from '../../src/domain/resources/index.ts';
import { columnsOf } from '../../src/resource/list/column-widths.ts';
import { factsOf } from '../../src/resource/list/facts.ts';
import type { Sort } from '../../src/resource/list/list-rules.ts';
import { ListTable } from '../../src/resource/list/list-table.tsx';
import { stubResizeObserver } from './unmeasured.ts';

const generators = resourceOf('generators');
const rowsOf = (count: number): PendingRow[] =>
  Array.from({ length: count }, (_, at) => ({
    recordId: String(at + 1),
    brand: `Brand ${at + 1}`,
    generator_model: 'G',
  }));

beforeEach(stubResizeObserver);
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function show(rows: readonly PendingRow[], onSort = vi.fn(), resource: Resource = generators, sort?: Sort, all = rows) {
  const selection = { selected: new Set<string>(), allSelected: false, onSelectAll: vi.fn() };
  const { container } = render(
    <ListTable resource={resource} rows={rows} all={all} sort={sort} onSort={onSort} {...selection} />,
  );
  return container;
}

test('reports ten thousand rows, but draws only the visible ones', () => {
  const container = show(rowsOf(10_000));
  expect(screen.getByRole('table').getAttribute('aria-rowcount')).toBe('10001');
  expect(container.querySelectorAll('*').length).toBeLessThan(500);
  const [, first] = screen.getAllByRole('row');
  expect(first?.getAttribute('aria-rowindex')).toBe('2');
  expect(within(first as HTMLElement).getByRole('cell', { name: '1' })).toBeTruthy();
});

test('the table is named after its list, and a fact sorts like a column', async () => {
  const onSort = vi.fn();
  const row = { recordId: '1', brand: 'FG', generator_model: 'P22', capacity: '20 kVA' };
  show([row], onSort, generators, { field: 'capacity', direction: 'ascending' });
  const table = within(screen.getByRole('table', { name: 'All Generators' }));
  const order = (name: string) => table.getByRole('columnheader', { name }).getAttribute('aria-sort');
  expect([order('Capacity'), order('Brand')]).toEqual(['ascending', 'none']);
  await userEvent.click(table.getByRole('button', { name: 'Capacity' }));
  expect(onSort).toHaveBeenCalledExactlyOnceWith({ field: 'capacity', direction: 'descending' });
});

test('a record without a picture column has its photo beside its name', () => {
  const [one, two] = rowsOf(2) as [PendingRow, PendingRow];
  const container = show([{ ...one, photo: 'perkins.webp' }, two]);
  const photos = [...container.querySelectorAll('img.row-photo')];
  expect(photos.map((photo) => photo.closest('td')?.textContent)).toEqual(['Brand 1']);
  expect(photos[0]?.getAttribute('src')).toContain('perkins.webp');
});

test('columns are Sl, those of the definition, and Action', () => {
  show(rowsOf(1));
  const headings = screen.getAllByRole('columnheader').map((heading) => heading.textContent);
  expect(headings.slice(1)).toEqual(['Sl', 'Brand', 'Model', 'Action']);
});

test('requests the order of a pressed heading', async () => {
  const onSort = vi.fn();
  show(rowsOf(2), onSort);
  await userEvent.setup().click(screen.getByRole('button', { name: 'Model' }));
  expect(onSort).toHaveBeenCalledWith({ field: 'generator_model', direction: 'ascending' });
});

test('says that a row waits, and offers only Undo for a deleted one', () => {
  const [one, two, three] = rowsOf(3) as [PendingRow, PendingRow, PendingRow];
  show([
    { ...one, recordId: 'local-1', pending: 'create', status: 'waiting', entryId: 'a' },
    { ...two, pending: 'delete', status: 'waiting', entryId: 'b' },
    { ...three, pending: 'update', status: 'refused', entryId: 'c' },
  ]);
  const [, created, deleted, refused] = screen.getAllByRole('row') as HTMLElement[];
  expect(created?.textContent).toContain('New, waiting');
  expect(
    within(created as HTMLElement)
      .getByRole('link', { name: 'Edit Brand 1 G' })
      .getAttribute('href'),
  ).toBe('/generator-edit/local-1');
  expect(within(deleted as HTMLElement).getAllByRole('button')).toHaveLength(1);
  expect(within(deleted as HTMLElement).getByRole('button', { name: 'Undo the deletion of Brand 2 G' })).toBeTruthy();
  expect(
    within(refused as HTMLElement)
      .getByRole('link', { name: 'Needs attention' })
      .getAttribute('href'),
  ).toBe('/outbox');
});

test('shortens an address in a column, with the whole one in the tooltip', () => {
  show(
    [{ recordId: '1', name: 'Helios', image: '', link: 'https://www.helios.example/' }],
    vi.fn(),
    resourceOf('partners'),
  );
  const cell = screen.getByRole('cell', { name: 'helios.example' });
  expect(cell.title).toBe('https://www.helios.example/');
});

test('gives each column the share of what the whole list holds in it', () => {
  const ABB = { recordId: '1', brand: 'ABB', model: 'PVI-3.0-OUTD-S-US-Z-A', type: 'Single Phase' };
  const inverters = resourceOf('grid-tie-inverters');
  const sharesOf = (rows: readonly PendingRow[]) =>
    [...columnsOf(inverters, rows, factsOf(inverters, rows, 2)).matchAll(/(\d+)fr/g)].map(([, share]) => Number(share));
  const [brand = 0, model = 0, type = 0] = sharesOf([ABB]);
  expect(model).toBeGreaterThan(type);
  expect(model).toBeGreaterThan(brand);
  // a search leaves the columns where they are
  const container = show([{ recordId: '2', brand: 'B', model: 'M' }], vi.fn(), inverters, undefined, [ABB]);
  const style = container.querySelector<HTMLElement>('.list-table')?.style;
  expect(style?.getPropertyValue('--columns')).toContain(`minmax(0, ${model}fr)`);
});

test.each([
  [1024, ['Capacity']],
  [1280, ['Capacity', 'Series']],
  [1500, ['Capacity', 'Series', 'Origin']],
])('a window of %i px shows the facts %j beside the columns', (width, facts) => {
  vi.stubGlobal('matchMedia', (query: string) => {
    const matches = Number(/min-width: (\d+)px/.exec(query)?.[1] ?? 0) <= width;
    return { matches, addEventListener() {}, removeEventListener() {} };
  });
  show([{ recordId: '1', brand: 'FG', generator_model: 'P22', capacity: '20 kVA', series: 'Perkins', origin: 'UK' }]);
  const headings = screen.getAllByRole('columnheader').map(({ textContent }) => textContent);
  expect(headings.slice(2)).toEqual(['Brand', 'Model', ...facts, 'Action']);
});

test('does not show a local picture of another field in place of the stored one', async () => {
  const localImage = { id: 'p', field: 'catalog', name: 'p.gif', type: 'image/gif', size: 4, sha256: 'ab' };
  const row = { recordId: '1', name: 'Helios', image: 'helios.webp', link: '', localImage };
  const container = show([row], vi.fn(), resourceOf('partners'));
  expect(container.querySelector('.row-image')?.getAttribute('src')).toContain('helios.webp');
});
