import 'fake-indexeddb/auto';
import { cleanup, render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { afterEach, expect, test, vi } from 'vitest';
import { partners } from '../../src/domain/resources/partners.ts';
import { planImport } from '../../src/resource/csv/csv-import.ts';

vi.stubGlobal(
  'ResizeObserver',
  class {
    observe() {}
    unobserve() {}
    disconnect() {}
  },
);
const made = { recordId: 'local-1', name: 'Made here', link: '', pending: 'create', status: 'waiting', entryId: 'e' };
vi.mock('../../src/api/reads.ts', () => ({
  // what useList gives when this device has no copy of the list and one record was created here (reads.ts createdHere)
  useList: () => ({
    rows: [{ recordId: 'local-1', name: 'Made here', link: '', pending: 'create', status: 'waiting', entryId: 'e' }],
    partial: false,
    refreshing: false,
    failure: 'Can’t reach the server.',
    refresh: () => {},
  }),
  listedRows: async () => undefined,
  useLookup: () => ({}),
}));
afterEach(cleanup);

test('a list that this device does not have is not counted as one record', async () => {
  const { default: ListScreen } = await import('../../src/resource/list-screen.tsx');
  const { container } = render(
    <MemoryRouter>
      <ListScreen resource={partners} />
    </MemoryRouter>,
  );
  await screen.findAllByText('Made here');
  expect(container.querySelector('.list-count')?.textContent ?? '').not.toBe('1 record');
});

test('and a CSV line with an id of that list does not say that there is no such record', () => {
  const plan = planImport(partners, 'id,name,link\r\n5,Acme,\r\n', [made], new Set());
  expect(JSON.stringify(plan.lines[0]?.errors)).not.toMatch(/There is no Partner 5/);
});
