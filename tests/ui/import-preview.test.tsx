import { cleanup, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { partners } from '../../src/domain/resources/partners.ts';
import { countLines, planImport } from '../../src/resource/csv/csv-import.ts';
import { withFills } from '../../src/resource/csv/line-fixes.ts';
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

test('says an error of many lines once, and lets a value and a file be chosen for all of them', async () => {
  const onFill = vi.fn();
  const onFillFiles = vi.fn();
  const plan = planImport(
    partners,
    `name,link,image\n${',https://a.example,\n'.repeat(3)}Sun,,sun.png\n`,
    [],
    new Set(['sun.png']),
  );
  render(
    <ImportPreview
      resource={partners}
      plan={plan}
      counts={countLines(plan.lines)}
      onFix={vi.fn()}
      onFill={onFill}
      onFillFiles={onFillFiles}
    />,
  );
  const causes = within(screen.getByRole('list', { name: 'Errors of many lines' }));
  expect(causes.getAllByRole('listitem').map((item) => item.querySelector('.import-problem')?.textContent)).toEqual([
    '3 lines: The name field is required.',
    '3 lines: The image field is required.',
  ]);
  expect(screen.getAllByText(/The image field is required/)).toHaveLength(1);
  await userEvent.type(causes.getByLabelText('Name'), 'Acme');
  await userEvent.click(causes.getByRole('button', { name: 'Fill in all' }));
  expect(onFill).toHaveBeenCalledExactlyOnceWith(plan.lines.slice(0, 3), 'name', 'Acme');
  const picture = new File(['p'], 'all.png', { type: 'image/png' });
  await userEvent.upload(causes.getByLabelText('Image for all lines without one'), picture);
  expect(onFillFiles).toHaveBeenCalledExactlyOnceWith('image', [picture]);
});

test('a file for all lines is named only by those that lack one', () => {
  const plan = planImport(partners, 'name,link,image\nA,,\nB,,own.png\nC,,lost.png\n', [], new Set(['own.png']));
  const lines = plan.lines.map((line) => withFills(line, { image: ['all.png'] }));
  expect(lines.map(({ fileNames, errors }) => [fileNames['image'], Object.keys(errors)])).toEqual([
    [['all.png'], []],
    [['own.png'], []],
    [['lost.png'], ['image']],
  ]);
});
