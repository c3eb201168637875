import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { partners } from '../../src/domain/resources/partners.ts';
import { countLines, planImport } from '../../src/resource/csv/csv-import.ts';
import { ImportPreview } from '../../src/resource/csv/import-preview.tsx';

afterEach(cleanup);

/** Previews this many valid lines after this many invalid ones. */
function preview(right: number, wrong: number): void {
  const lines = [
    ...Array.from({ length: wrong }, () => ',,sun.png'),
    ...Array.from({ length: right }, () => 'Sun,,sun.png'),
  ];
  const plan = planImport(partners, ['name,link,image', ...lines].join('\n'), [], new Set(['sun.png']));
  render(<ImportPreview resource={partners} plan={plan} counts={countLines(plan.lines)} onFix={vi.fn()} />);
}

const shown = () => screen.getAllByRole('row').length - 1;
const rest = () => screen.queryByText(/more line/)?.textContent;

test.each([
  [100, undefined],
  [101, 'and 1 more line'],
  [102, 'and 2 more lines'],
])('shows a hundred of %i lines, and counts the others', (count, words) => {
  preview(count, 0);
  expect([shown(), rest()]).toEqual([100, words]);
});

test('shows only the lines with errors on request', async () => {
  preview(120, 3);
  expect([shown(), rest()]).toEqual([100, 'and 23 more lines']);
  const only = screen.getByRole('checkbox', { name: 'Show lines with errors only' });
  await userEvent.click(only);
  expect([shown(), rest()]).toEqual([3, undefined]);
  await userEvent.click(only);
  expect([shown(), rest()]).toEqual([100, 'and 23 more lines']);
});

test('shows a hundred of many lines with errors, and counts the rest', async () => {
  preview(5, 103);
  expect([shown(), rest()]).toEqual([100, 'and 8 more lines']);
  await userEvent.click(screen.getByRole('checkbox', { name: 'Show lines with errors only' }));
  expect([shown(), rest()]).toEqual([100, 'and 3 more lines']);
});
