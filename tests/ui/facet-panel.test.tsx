import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, expect, test } from 'vitest';
import { streetLights } from '../../src/domain/resources/street-lights.ts';
import FacetPanel from '../../src/resource/list/facet-panel.tsx';
import type { Chosen } from '../../src/resource/list/facets.ts';
import type { ListView } from '../../src/resource/list/use-list-view.ts';

afterEach(cleanup);

const ROWS = Array.from({ length: 10 }, (_, at) => ({ recordId: String(at), brand: `Brand ${at}` }));

function Panel({ begin = {} }: { begin?: Chosen }) {
  const [chosen, setChosen] = useState<Chosen>(begin);
  return <FacetPanel resource={streetLights} rows={ROWS} view={{ chosen, setChosen } as unknown as ListView} />;
}

const box = (name: string) => screen.getByRole('checkbox', { name });

test('the values that “more” reveals take the focus once, and leave it to whatever is pressed then', async () => {
  render(<Panel />);
  await userEvent.click(screen.getByRole('button', { name: '2 more' }));
  expect(document.activeElement).toBe(box('Brand 8 1'));
  await userEvent.click(box('Brand 2 1'));
  expect(document.activeElement).toBe(box('Brand 2 1'));
  expect(screen.getAllByRole('checkbox', { checked: true })).toEqual([box('Brand 2 1')]);
});

test('a rare value that is chosen is among those that are shown', () => {
  render(<Panel begin={{ brand: ['Brand 9'] }} />);
  expect(screen.getAllByRole('checkbox')).toHaveLength(9);
  expect(box('Brand 9 1')).toHaveProperty('checked', true);
  expect(screen.getByRole('button', { name: '1 more' })).toBeDefined();
});
