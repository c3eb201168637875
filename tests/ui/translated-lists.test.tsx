import 'fake-indexeddb/auto';
import { act, cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { MemoryRouter } from 'react-router-dom';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { resourceOf } from '../../src/domain/resources/index.ts';
import { catalogue as pseudo } from '../../src/language/pseudo.ts';
import { speak } from '../../src/language/t.ts';
import ImportDialog from '../../src/resource/csv/import-dialog.tsx';
import { CopiedFilesNotice } from '../../src/resource/duplicate/copied-files-notice.tsx';
import BulkEditDialog from '../../src/resource/list/bulk-edit-dialog.tsx';
import CellEditor from '../../src/resource/list/cell-editor.tsx';
import { ChosenFacets } from '../../src/resource/list/chosen-facets.tsx';
import { bulkFields } from '../../src/resource/list/edited-fields.ts';
import FacetPanel from '../../src/resource/list/facet-panel.tsx';
import LabelsDialog from '../../src/resource/list/labels-dialog.tsx';
import { ListMenu } from '../../src/resource/list/list-menu.tsx';
import { ListRows } from '../../src/resource/list/list-rows.tsx';
import { ListTable } from '../../src/resource/list/list-table.tsx';
import { ListToolbar } from '../../src/resource/list/list-toolbar.tsx';
import NothingFound from '../../src/resource/list/nothing-found.tsx';
import NothingThere from '../../src/resource/list/nothing-there.tsx';
import RowMenu from '../../src/resource/list/row-menu.tsx';
import { SelectionBar } from '../../src/resource/list/selection-bar.tsx';
import type { ListView } from '../../src/resource/list/use-list-view.ts';
import SliderOrder from '../../src/resource/sliders/slider-order.tsx';
import { useSession } from '../../src/stores/session.ts';
import { useSettings } from '../../src/stores/settings.ts';
import { stubResizeObserver } from './unmeasured.ts';
import { plainWords, untranslated } from './untranslated.ts';

/** Every text of a list is translated. The values here have no letter that the pseudo-language accents. */

vi.mock('../../src/resource/csv/whole-rows.ts', () => ({ completeRows: async (_: unknown, rows: unknown) => rows }));

const inverters = resourceOf('grid-tie-inverters');
const row = (id: number, more: object = {}) => ({
  recordId: String(id),
  id,
  brand: `Grb ${id}`,
  model: 'Mk',
  capacity: '4 W',
  type: 'Three Phase',
  photo: '',
  has_catalog: 1,
  ...more,
});
const FIRST = row(1);
const ROWS = [
  FIRST,
  row(2, { type: 'Single Phase', photo: 'p.jpg', has_catalog: 0 }),
  ...(['waiting', 'sending', 'checking', 'refused', 'conflict'] as const).flatMap((status, at) => [
    row(10 + at, { pending: 'create', status }),
    row(20 + at, { pending: 'update', status }),
    row(30 + at, { pending: 'delete', status }),
  ]),
];
const SLIDES = [{ recordId: '1', text: 'Grb', serial: '1', image: '' }];
const VIEW = {
  query: '',
  sort: { field: 'brand', direction: 'ascending' },
  chosen: { type: ['Three Phase'], photos: ['with', 'without'], catalog: ['with'], waiting: ['yes'], brand: [''] },
  shown: ROWS,
} as unknown as ListView;
const LIST = {
  resource: inverters,
  rows: ROWS,
  selected: new Set<string>(),
  allSelected: false,
  sort: undefined,
  onSort: vi.fn(),
  onSelectAll: vi.fn(),
};
const SLIDE_LIST = { ...LIST, resource: resourceOf('sliders'), rows: SLIDES };
const nothing = vi.fn();
const TOOLS = { resource: inverters, rows: ROWS, view: VIEW, refreshing: false, onRefresh: nothing, onEnter: nothing };
const COPYING = { total: 3, copied: 1, again: nothing, stop: nothing };
const ROW_MENU = { resource: inverters, onClose: nothing, onSelect: nothing, onDelete: nothing, onEdit: nothing };

beforeEach(() => {
  stubResizeObserver();
  speak(pseudo);
  useSettings.setState({ companyLabel: 'Grb' });
  useSession.setState({ user: { id: 7, name: 'Brt' }, token: 'token-1' });
});
afterEach(async () => {
  cleanup();
  speak(undefined);
  vi.unstubAllGlobals();
  await vi.dynamicImportSettled();
});

const show = (content: ReactNode) => render(<MemoryRouter>{content}</MemoryRouter>);
const pressed = async () => {
  for (const button of screen.getAllByRole('button')) await userEvent.click(button);
};

test.each([
  ['a table', () => <ListTable {...LIST} />],
  ['rows for narrow screens', () => <ListRows {...LIST} />],
  ['a table of slides', () => <ListTable {...SLIDE_LIST} />],
  ['slides for narrow screens', () => <ListRows {...SLIDE_LIST} />],
  ['the filters', () => <FacetPanel resource={inverters} rows={ROWS} view={VIEW} />],
  ['the chosen filters', () => <ChosenFacets resource={inverters} view={VIEW} />],
  [
    'the bar of a selection',
    () => (
      <SelectionBar
        count={2}
        {...{ onEdit: nothing, onDelete: nothing, onLabels: nothing, onDuplicate: nothing, onClear: nothing }}
      />
    ),
  ],
  ['a search without a match', () => <NothingFound query="Grb" onClear={nothing} />],
  ['a filter without a match', () => <NothingFound query="" onClear={nothing} />],
  ['a list without records', () => <NothingThere resource={inverters} onImport={nothing} />],
  ['the menu of a row', () => <RowMenu {...ROW_MENU} at={{ row: FIRST, anchor: document.body }} />],
  [
    'labels',
    () => (
      <LabelsDialog resource={inverters} rows={[FIRST, { ...FIRST, recordId: '2', id: undefined }]} onClose={nothing} />
    ),
  ],
  ['copied files on their way', () => <CopiedFilesNotice state="copying" {...COPYING} />],
  ['copied files that are missing', () => <CopiedFilesNotice state="missing" {...COPYING} />],
  ['the order of slides', () => <SliderOrder resource={resourceOf('sliders')} rows={SLIDES} onClose={nothing} />],
])('translates %s', async (_, content) => {
  show(content());
  await act(async () => {});
  expect(untranslated()).toEqual([]);
});

test('translates the tools of a list, with the filter open', async () => {
  show(
    <ListToolbar {...TOOLS}>
      <ListMenu resource={inverters} actions={undefined} />
    </ListToolbar>,
  );
  await pressed();
  expect(untranslated()).toEqual([]);
});

test('translates a list without records, for a viewer', () => {
  useSession.setState({ user: { id: 7, name: 'Brt', role: 'viewer' } });
  show(
    <>
      <NothingThere resource={inverters} onImport={nothing} />
      <ListTable {...LIST} />
    </>,
  );
  expect(untranslated()).toEqual([]);
});

test.each(bulkFields(inverters).map((field) => [field.name, field] as const))(
  'translates the editor of a cell: %s',
  (_, field) => {
    show(<CellEditor resource={inverters} row={FIRST} field={field} anchor={document.body} onClose={nothing} />);
    expect(untranslated()).toEqual([]);
  },
);

test('translates the edit of several records, with its preview', async () => {
  const certified = (recordId: string, category: string) => ({ recordId, name: 'Grb', category });
  const rows = [certified('1', ''), certified('2', 'Generators'), { recordId: '3', name: 'Grb' }];
  show(<BulkEditDialog resource={resourceOf('certifications')} rows={rows} onClose={nothing} />);
  const [field, value] = screen.getAllByRole('combobox') as [HTMLElement, HTMLElement];
  await userEvent.selectOptions(field, 'category');
  await userEvent.selectOptions(screen.getAllByRole('combobox')[1] ?? value, 'Solar Panels');
  expect(screen.getByRole('list').children).toHaveLength(2);
  expect(untranslated()).toEqual([]);
});

test('translates an import, with lines that have errors', async () => {
  show(<ImportDialog resource={inverters} rows={[FIRST]} onClose={nothing} />);
  const lines = ['brand,model,type,bdg,images', 'Grb,Mk,Thrd,1,p.jpg', 'Grb,Mk,Three Phase,1,'];
  const file = new File([], 'l.csv');
  file.arrayBuffer = async () => new TextEncoder().encode(lines.join('\n')).buffer;
  await userEvent.upload(document.querySelector('input') as HTMLInputElement, file);
  await screen.findByRole('table');
  const wire = [
    ...inverters.fields.map(({ name }) => name),
    'id',
    'csv',
    ...plainWords(inverters.fields.flatMap((field) => (field.kind === 'choice' ? field.options : [])).join(' ')),
  ];
  expect(untranslated().filter((word) => !wire.includes(word))).toEqual([]);
});
