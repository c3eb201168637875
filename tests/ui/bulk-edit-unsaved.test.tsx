import 'fake-indexeddb/auto';
import { cleanup, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import type { PendingRow } from '../../src/domain/outbox/optimistic-view.ts';
import { streetLights } from '../../src/domain/resources/street-lights.ts';
import BulkEditDialog from '../../src/resource/list/bulk-edit-dialog.tsx';
import { isFormInUse } from '../../src/stores/unsaved.ts';

vi.mock('../../src/resource/csv/whole-rows.ts', () => ({
  completeRows: vi.fn(async (_: unknown, rows: readonly object[]) => rows.map((row) => ({ model: 'Known', ...row }))),
}));
afterEach(cleanup);
const lamp = (id: string) =>
  ({ recordId: id, brand: `Lamp ${id}`, model: 'M', capacity: '5 W', origin: 'China' }) as PendingRow;

test('a value typed for forty records counts as unsaved (log-out, Back, an ended session ask first)', async () => {
  render(<BulkEditDialog resource={streetLights} rows={[lamp('1'), lamp('2')]} onClose={() => {}} />);
  const dialog = within(await screen.findByRole('dialog'));
  await userEvent.selectOptions(dialog.getByRole('combobox', { name: 'Field' }), 'Origin');
  await userEvent.type(dialog.getByLabelText('Origin'), 'Italy');
  expect(isFormInUse()).toBe(true);
});
