import { cleanup, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router-dom';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Rail } from '../../src/app/shell/rail.tsx';
import { Options } from '../../src/fields/options.tsx';
import { InviteDialog } from '../../src/features/account/invite-dialog.tsx';
import { catalogue as german } from '../../src/language/de.ts';
import { speak } from '../../src/language/t.ts';
import { resourceOf } from '../../src/domain/resources/index.ts';
import FacetPanel from '../../src/resource/list/facet-panel.tsx';
import { ListRows } from '../../src/resource/list/list-rows.tsx';
import { ListTable } from '../../src/resource/list/list-table.tsx';
import type { ListView } from '../../src/resource/list/use-list-view.ts';
import { open } from './open-form.tsx';
import { stubResizeObserver } from './unmeasured.ts';

beforeEach(() => speak(german));

afterEach(() => {
  cleanup();
  speak(undefined);
  vi.unstubAllGlobals();
});

test('describes the roles of an invitation in German, with capitalized nouns', async () => {
  render(<InviteDialog onInvited={() => undefined} onClose={() => undefined} />);
  const role = screen.getByRole('combobox', { name: 'Rolle' });
  for (const [name, may] of [
    ['Inhaber', 'bearbeitet alles und verwaltet Personen.'],
    ['Bearbeiter', 'legt Einträge an, bearbeitet und löscht sie.'],
    ['Betrachter', 'sieht alles an und ändert nichts.'],
  ] as const) {
    await userEvent.selectOptions(role, name);
    expect(screen.getByText(may)).toBeDefined();
  }
});

test('the only record of its kind has its German name as the heading', async () => {
  open('/sete-meta-update');
  expect((await screen.findByRole('heading', { level: 1 })).textContent).toBe('Website-Angaben');
});

test.each([
  ['a table', ListTable],
  ['rows for narrow screens', ListRows],
])('a list as %s shows a category in German, as its form does', (_, List) => {
  stubResizeObserver();
  const row = { recordId: '1', category: 'Solar Panels', name: 'IEC 61215', image: '' };
  const selection = { selected: new Set<string>(), allSelected: false, onSelectAll: vi.fn() };
  const certifications = resourceOf('certifications');
  render(<List resource={certifications} rows={[row]} sort={undefined} onSort={vi.fn()} {...selection} />);
  expect(screen.getByText('Solarmodule').title).toBe('Solarmodule');
  expect(screen.queryByText('Solar Panels')).toBeNull();
});

test('shows options in German, and stores them as they are', () => {
  render(
    <select>
      <Options label="Category" value="Others" options={['Solar Panels', 'Generators']} />
    </select>,
  );
  const options = screen.getAllByRole<HTMLOptionElement>('option').map(({ text, value }) => [text, value]);
  expect(options.slice(2)).toEqual([
    ['Solarmodule', 'Solar Panels'],
    ['Generatoren', 'Generators'],
  ]);
});

test('shows the counts of a filter with German thousands separators', () => {
  const rows = Array.from({ length: 1203 }, (_, at) => ({ recordId: String(at), brand: at < 1200 ? 'ABB' : 'SMA' }));
  const view = { chosen: {}, sort: undefined } as unknown as ListView;
  render(<FacetPanel resource={resourceOf('street-lights')} rows={rows} view={view} />);
  expect(screen.getAllByRole('checkbox').map(({ parentElement }) => parentElement?.textContent)).toEqual([
    'ABB 1.200',
    'SMA 3',
  ]);
});

test('at 1280 px a list has the same columns in German as in English', () => {
  stubResizeObserver();
  vi.stubGlobal('matchMedia', (query: string) => {
    const matches = Number(/min-width: (\d+)px/.exec(query)?.[1] ?? 0) <= 1280;
    return { matches, addEventListener() {}, removeEventListener() {} };
  });
  const row = { recordId: '1', brand: 'ABB', model: 'PVI-3.0', capacity: '3 kW', type: 'Single Phase' };
  const selection = { selected: new Set<string>(), allSelected: false, onSelectAll: vi.fn() };
  const inverters = resourceOf('grid-tie-inverters');
  const table = <ListTable resource={inverters} rows={[row]} sort={undefined} onSort={vi.fn()} {...selection} />;
  const headings = () => screen.getAllByRole('columnheader').map(({ textContent }) => textContent);
  render(table);
  expect(headings().slice(2)).toEqual(['Marke', 'Modell', 'Leistung', 'Typ', 'Aktion']);
  cleanup();
  speak(undefined);
  render(table);
  expect(headings().slice(2)).toEqual(['Brand', 'Model', 'Capacity', 'Type', 'Action']);
});

test('a word that is longer than the narrow navigation breaks at a hyphen', () => {
  render(
    <MemoryRouter>
      <Rail onOpen={() => undefined} />
    </MemoryRouter>,
  );
  const places = within(screen.getByRole('navigation')).getAllByRole('link');
  const parts = places.flatMap(({ textContent }) => textContent.split(/[\s\u00AD-]/));
  expect(parts.filter((part) => part.length > 12)).toEqual([]);
});
