import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { resourceOf } from '../../src/domain/resources/index.ts';
import { streetLights } from '../../src/domain/resources/street-lights.ts';
import FacetPanel from '../../src/resource/list/facet-panel.tsx';
import type { Chosen } from '../../src/resource/list/facets.ts';
import type { Sort } from '../../src/resource/list/list-rules.ts';
import type { ListView } from '../../src/resource/list/use-list-view.ts';

afterEach(cleanup);

const ROWS = Array.from({ length: 10 }, (_, at) => ({ recordId: String(at), brand: `Brand ${at}` }));

const setSort = vi.fn();

function Panel({ begin = {}, sort }: { begin?: Chosen; sort?: Sort }) {
  const [chosen, setChosen] = useState<Chosen>(begin);
  const view = { chosen, setChosen, sort, setSort } as unknown as ListView;
  return <FacetPanel resource={streetLights} rows={ROWS} view={view} />;
}

const box = (name: string) => screen.getByRole('checkbox', { name });

test('focuses the values that “more” reveals only once', async () => {
  render(<Panel />);
  await userEvent.click(screen.getByRole('button', { name: '2 more' }));
  expect(document.activeElement).toBe(box('Brand 8 1'));
  await userEvent.click(box('Brand 2 1'));
  expect(document.activeElement).toBe(box('Brand 2 1'));
  expect(screen.getAllByRole('checkbox', { checked: true })).toEqual([box('Brand 2 1')]);
});

test('shows a rare value that is chosen', () => {
  render(<Panel begin={{ brand: ['Brand 9'] }} />);
  expect(screen.getAllByRole('checkbox')).toHaveLength(9);
  expect(box('Brand 9 1')).toHaveProperty('checked', true);
  expect(screen.getByRole('button', { name: '1 more' })).toBeDefined();
});

test('the order offers no pictures', () => {
  const view = { chosen: {}, setChosen: vi.fn(), sort: undefined, setSort } as unknown as ListView;
  render(<FacetPanel resource={resourceOf('partners')} rows={[{ recordId: '1', name: 'Volt' }]} view={view} />);
  const options = screen.getByRole('combobox', { name: 'Order' }).querySelectorAll('option');
  expect([...options].map(({ value }) => value)).toEqual(['', 'name ascending', 'name descending']);
});

test('the order offers each column of text both ways, and the default', async () => {
  render(<Panel sort={{ field: 'brand', direction: 'descending' }} />);
  const order = screen.getByRole('combobox', { name: 'Order' });
  expect([...order.querySelectorAll('option')].map(({ text }) => text)).toEqual([
    'Default order',
    'Brand, A to Z',
    'Brand, Z to A',
    'Model, A to Z',
    'Model, Z to A',
  ]);
  expect(order).toHaveProperty('value', 'brand descending');
  await userEvent.selectOptions(order, 'Model, A to Z');
  expect(setSort).toHaveBeenLastCalledWith({ field: 'model', direction: 'ascending' });
  await userEvent.selectOptions(order, 'Default order');
  expect(setSort).toHaveBeenLastCalledWith(undefined);
});
