import 'fake-indexeddb/auto';
import { cleanup, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { resourceOf } from '../../src/domain/resources/index.ts';
import { CopiedFilesNotice } from '../../src/resource/duplicate/copied-files-notice.tsx';
import ActionMenu from '../../src/resource/list/action-menu.tsx';
import { ListRows } from '../../src/resource/list/list-rows.tsx';
import { ListTable } from '../../src/resource/list/list-table.tsx';
import { SelectionBar } from '../../src/resource/list/selection-bar.tsx';
import { useSession } from '../../src/stores/session.ts';
import { stubResizeObserver } from './unmeasured.ts';

/** What a screen reader is told of a list. */

beforeEach(stubResizeObserver);
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const nothing = vi.fn();

test('how many are selected is read out', () => {
  const actions = { onEdit: nothing, onDelete: nothing, onLabels: nothing, onDuplicate: undefined, onClear: nothing };
  const { rerender } = render(<SelectionBar count={1} {...actions} />);
  const status = screen.getByRole('status');
  expect(status.textContent).toContain('1 selected');
  rerender(<SelectionBar count={2} {...actions} />);
  expect(status.textContent).toContain('2 selected');
});

test.each([
  ['copying', 'Copying the files too: 2 of 3…'],
  ['missing', '2 files could not be copied.'],
] as const)('announces the progress of copied files: %s', (state, words) => {
  render(<CopiedFilesNotice state={state} total={3} copied={1} again={nothing} stop={nothing} />);
  expect(screen.getByRole('status').textContent).toContain(words);
});

test('exposes the button of a row as a menu button, and its items as menu items', () => {
  const selection = { selected: new Set<string>(), allSelected: false, onSelectAll: nothing };
  const rows = [{ recordId: '1', brand: 'Perkins' }];
  render(<ListRows resource={resourceOf('generators')} rows={rows} sort={undefined} onSort={nothing} {...selection} />);
  const more = screen.getByRole('button', { name: 'More for Perkins' });
  expect(more.getAttribute('aria-haspopup')).toBe('menu');
  render(<ActionMenu anchor={more} actions={[{ label: 'Select', run: nothing }]} onClose={nothing} />);
  expect(within(screen.getByRole('menu')).getByRole('menuitem', { name: 'Select' })).toBe(document.activeElement);
});

test('gives every part of a table its role, because Safari does not expose grids as tables', () => {
  const selection = { selected: new Set<string>(), allSelected: false, onSelectAll: nothing };
  const rows = [{ recordId: '1', brand: 'Perkins' }];
  render(
    <ListTable resource={resourceOf('generators')} rows={rows} sort={undefined} onSort={nothing} {...selection} />,
  );
  const roles = { table: 'table', 'thead, tbody': 'rowgroup', tr: 'row', th: 'columnheader', td: 'cell' };
  for (const [parts, role] of Object.entries(roles)) {
    const told = [...document.querySelectorAll(parts)].map((part) => part.getAttribute('role'));
    expect(new Set(told)).toEqual(new Set([role]));
  }
});

test('Tab moves between the controls of a row, and skips its cells', async () => {
  const selection = { selected: new Set<string>(), allSelected: false, onSelectAll: nothing };
  const rows = [{ recordId: '1', brand: 'Perkins', generator_model: 'P1', capacity: '20 kVA' }];
  render(
    <ListTable resource={resourceOf('generators')} rows={rows} sort={undefined} onSort={nothing} {...selection} />,
  );
  expect(document.querySelectorAll<HTMLElement>('[data-cell]').length).toBeGreaterThan(1);
  screen.getByRole('checkbox', { name: 'Select Perkins P1' }).focus();
  const stops: (string | null | undefined)[] = [];
  for (let step = 0; step < 3; step += 1) {
    await userEvent.tab();
    stops.push(document.activeElement?.textContent);
  }
  expect(stops).toEqual(['Perkins', 'Edit', 'Delete']);
});

test.each([
  ['a table', ListTable],
  ['rows for narrow screens', ListRows],
])('in %s a viewer can select, edit and delete nothing', (_, List) => {
  useSession.setState({ user: { id: 7, name: 'Lea', role: 'viewer' }, token: 'token-1' });
  const selection = { selected: new Set<string>(), allSelected: false, onSelectAll: nothing };
  const rows = [{ recordId: '1', brand: 'Perkins' }];
  render(<List resource={resourceOf('generators')} rows={rows} sort={undefined} onSort={nothing} {...selection} />);
  expect(screen.queryAllByRole('checkbox')).toEqual([]);
  expect(screen.getAllByRole('link').map(({ textContent }) => textContent)).toEqual(['Perkins', 'Open']);
  expect(screen.queryByRole('button', { name: /Perkins/ })).toBeNull();
  useSession.setState({ ended: false, signInAsked: false }, true);
});
