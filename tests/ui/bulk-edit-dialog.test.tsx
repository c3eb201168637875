import 'fake-indexeddb/auto';
import { cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { MemoryRouter } from 'react-router-dom';
import { outbox } from '../../src/api/outbox.ts';
import { lookupCopy } from '../../src/api/sources.ts';
import type { ValueField } from '../../src/domain/fields.ts';
import type { PendingRow } from '../../src/domain/outbox/optimistic-view.ts';
import { fieldOf } from '../../src/domain/resource.ts';
import { aboutItems } from '../../src/domain/resources/about-items.ts';
import { generators } from '../../src/domain/resources/generators.ts';
import { gridTieInverters } from '../../src/domain/resources/grid-tie-inverters.ts';
import { partners } from '../../src/domain/resources/partners.ts';
import { streetLights } from '../../src/domain/resources/street-lights.ts';
import { ups } from '../../src/domain/resources/ups.ts';
import { rowsAllowing } from '../../src/resource/list/bulk-edit.ts';
import BulkEditDialog from '../../src/resource/list/bulk-edit-dialog.tsx';
import { bulkFields } from '../../src/resource/list/edited-fields.ts';
import CellEditor from '../../src/resource/list/cell-editor.tsx';
import { completeRows } from '../../src/resource/csv/whole-rows.ts';
import { useNotifications } from '../../src/stores/notifications.ts';
import { soon } from '../harness/soon.ts';

vi.mock('../../src/resource/csv/whole-rows.ts', () => ({
  completeRows: vi.fn(async (_: unknown, rows: readonly object[]) => rows.map((row) => ({ model: 'Known', ...row }))),
}));

const lamp = (id: string, more: object = {}): PendingRow =>
  ({ recordId: id, brand: `Lamp ${id}`, model: 'M', capacity: '5 W', origin: 'China', ...more }) as PendingRow;
const closed = vi.fn();

async function open(rows: readonly PendingRow[]) {
  render(<BulkEditDialog resource={streetLights} rows={rows} onClose={closed} />);
  const dialog = within(await screen.findByRole('dialog'));
  const choose = (field: string) => userEvent.selectOptions(dialog.getByRole('combobox', { name: 'Field' }), field);
  return { dialog, choose };
}

beforeEach(() => void useNotifications.getState().take());
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  closed.mockReset();
});

test('does not carry a typed value over to another field', async () => {
  const { dialog, choose } = await open([lamp('1')]);
  await choose('Origin');
  await userEvent.type(dialog.getByLabelText('Origin'), 'Italy');
  expect(dialog.getAllByRole('listitem')).toHaveLength(1);
  await choose('Brand');
  expect(dialog.getByLabelText('Brand')).toHaveProperty('value', '');
  expect(dialog.queryByRole('listitem')).toBeNull();
});

test('leaves records that are not fully on this device unchanged, and counts them', async () => {
  const { dialog, choose } = await open([lamp('1'), lamp('2', { model: undefined })]);
  await choose('Origin');
  await userEvent.type(dialog.getByLabelText('Origin'), 'Italy');
  expect(dialog.getByText('1 record isn’t on this device and won’t be changed.')).toBeDefined();
  expect(dialog.getByRole('button', { name: 'Save 1' })).toBeDefined();
});

test('records that cannot be read are reported', async () => {
  vi.spyOn(console, 'error').mockReturnValue();
  vi.mocked(completeRows).mockRejectedValueOnce(new Error('locked'));
  await open([lamp('1')]);
  await soon(() =>
    expect(useNotifications.getState().take()).toMatchObject([
      { kind: 'error', message: expect.stringContaining('Nothing was changed.') },
    ]),
  );
});

test('while the records are being read, none counts as missing', async () => {
  render(<BulkEditDialog resource={streetLights} rows={[lamp('1')]} onClose={closed} />);
  expect(screen.getByRole('dialog').textContent).not.toMatch(/on this device/);
  await screen.findByRole('dialog', { name: 'Edit 1 street light' });
});

test('reads values that the list lacks first, and keeps them', async () => {
  const enqueue = vi.spyOn(outbox, 'enqueue').mockResolvedValue({ id: 'a' } as never);
  const { model: _, ...part } = lamp('1');
  const { dialog, choose } = await open([part as PendingRow]);
  await choose('Origin');
  await userEvent.type(dialog.getByLabelText('Origin'), 'Italy');
  await userEvent.click(await dialog.findByRole('button', { name: 'Save 1' }));
  await expect.poll(() => enqueue.mock.lastCall?.[0]).toMatchObject({ values: { model: 'Known', origin: 'Italy' } });
});

test('keeps the dialog open when only some edits could be stored, and Undo reverts those', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  const enqueue = vi
    .spyOn(outbox, 'enqueue')
    .mockResolvedValueOnce({ id: 'a' } as never)
    .mockRejectedValueOnce(new Error('The disk is gone.'))
    .mockResolvedValue({ id: 'b' } as never);
  const { dialog, choose } = await open([lamp('1'), lamp('2')]);
  await choose('Origin');
  await userEvent.type(dialog.getByLabelText('Origin'), 'Italy');
  await userEvent.click(dialog.getByRole('button', { name: 'Save 2' }));
  await expect.poll(() => enqueue.mock.calls.length).toBe(2);
  expect(closed).not.toHaveBeenCalled();
  const told = useNotifications.getState().take();
  expect(told.map(({ message }) => message)).toContain('1 street light edited');
  told.find(({ action }) => action !== undefined)?.action?.run();
  await expect.poll(() => enqueue.mock.calls.length).toBe(3);
  expect(enqueue.mock.lastCall?.[0]).toMatchObject({ recordId: '1', values: { origin: 'China' } });
});

test('announces nothing as edited when no edit could be stored', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  const enqueue = vi.spyOn(outbox, 'enqueue').mockRejectedValue(new Error('The disk is gone.'));
  const { dialog, choose } = await open([lamp('1')]);
  await choose('Origin');
  await userEvent.type(dialog.getByLabelText('Origin'), 'Italy');
  await userEvent.click(dialog.getByRole('button', { name: 'Save 1' }));
  await expect.poll(() => enqueue.mock.calls.length).toBe(1);
  await soon(() => expect(dialog.getByRole('button', { name: 'Save 1' })).toHaveProperty('disabled', false));
  expect(
    useNotifications
      .getState()
      .take()
      .map(({ kind, action }) => [kind, action]),
  ).toEqual([['error', undefined]]);
  expect(closed).not.toHaveBeenCalled();
});

test('stores nothing twice and stays open when pressed again while the edits are being stored', async () => {
  const stored = Promise.withResolvers<never>();
  const enqueue = vi.spyOn(outbox, 'enqueue').mockReturnValue(stored.promise);
  const { dialog, choose } = await open([lamp('1')]);
  await choose('Origin');
  await userEvent.type(dialog.getByLabelText('Origin'), 'Italy');
  const save = dialog.getByRole('button', { name: 'Save 1' });
  await userEvent.click(save);
  expect([save, dialog.getByRole('button', { name: 'Cancel' })]).toEqual([
    expect.objectContaining({ disabled: true }),
    expect.objectContaining({ disabled: true }),
  ]);
  fireEvent.keyDown(dialog.getByLabelText('Origin'), { key: 'Escape' });
  expect(closed).not.toHaveBeenCalled();
  stored.resolve({ id: 'a' } as never);
  await expect.poll(() => closed.mock.lastCall).toEqual([true]);
  expect(enqueue).toHaveBeenCalledOnce();
});

test('a value that the server would refuse is told of first, and is saved by Save anyway alone', async () => {
  const enqueue = vi.spyOn(outbox, 'enqueue').mockResolvedValue({ id: 'a' } as never);
  const rows = [{ recordId: '1', name: 'Acme', link: '' }] as unknown as PendingRow[];
  render(<BulkEditDialog resource={partners} rows={rows} onClose={closed} />);
  const link = await screen.findByLabelText('Link');
  await userEvent.type(link, 'ftp://example.com');
  expect(screen.queryByText('The link must be a valid URL.')).toBeNull();
  await userEvent.click(await screen.findByRole('button', { name: 'Save 1' }));
  expect(screen.getByText('The link must be a valid URL.')).toBeDefined();
  expect(document.activeElement).toBe(link);
  expect(enqueue).not.toHaveBeenCalled();
  await userEvent.type(link, '.');
  expect(screen.queryByText('The link must be a valid URL.')).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Save 1' }));
  await userEvent.click(screen.getByRole('button', { name: 'Save anyway' }));
  await soon(() => expect(closed).toHaveBeenCalledExactlyOnceWith(true));
  expect(enqueue).toHaveBeenCalledOnce();
});

test('Escape closes the dialog without an edit', async () => {
  const { dialog } = await open([lamp('1')]);
  fireEvent.keyDown(dialog.getByLabelText('Capacity'), { key: 'Escape' });
  expect(closed).toHaveBeenCalledExactlyOnceWith(false);
});

test('labels a missing value as empty in the preview, and leaves out records that have the new one', async () => {
  const { dialog, choose } = await open([lamp('1', { origin: '' }), lamp('2', { origin: 'Italy' }), lamp('3')]);
  await choose('Origin');
  await userEvent.type(dialog.getByLabelText('Origin'), 'Italy');
  const preview = within(dialog.getByRole('list', { name: 'Preview' }));
  expect(preview.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'Lamp 1 M(empty) Italy',
    'Lamp 3 MChina Italy',
  ]);
});

test('is named by the number of records it edits, and focuses the new value', async () => {
  const { dialog } = await open([lamp('1'), lamp('2')]);
  expect(screen.getByRole('dialog', { name: 'Edit 2 street lights' })).toBeDefined();
  await soon(() => expect(document.activeElement).toBe(dialog.getByLabelText('Capacity')));
});

test('offers the values of a list field, for several records and in a cell', async () => {
  lookupCopy('ups-types', '').adopt({ value: ['Online', 'Rack'], fetchedAt: Date.now() });
  const row = { recordId: '1', brand: 'APC', model: 'M', capacity: '5 kVA', origin: 'UK', type: 'Rack' } as PendingRow;
  const options = () =>
    within(screen.getByRole('combobox', { name: 'Type' }))
      .getAllByRole<HTMLOptionElement>('option')
      .flatMap(({ value }) => (value === '' ? [] : [value]));
  render(<BulkEditDialog resource={ups} rows={[row]} onClose={closed} />);
  await userEvent.selectOptions(await screen.findByRole('combobox', { name: 'Field' }), 'Type');
  expect(options()).toEqual(['Online', 'Rack']);
  cleanup();
  const field = fieldOf(ups, 'type') as ValueField;
  render(
    <MemoryRouter>
      <CellEditor resource={ups} row={row} field={field} anchor={document.body} onClose={closed} />
    </MemoryRouter>,
  );
  expect(options()).toEqual(['Online', 'Rack']);
  expect(screen.getByRole('combobox', { name: 'Type' })).toHaveProperty('value', 'Rack');
});

test('says how the others write a quantity before a number without a unit is saved', async () => {
  const enqueue = vi.spyOn(outbox, 'enqueue').mockResolvedValue({ id: 'a' } as never);
  const { dialog } = await open([lamp('1', { capacity: '163 W' }), lamp('2', { capacity: '5 W' })]);
  const capacity = dialog.getByLabelText('Capacity');
  await userEvent.type(capacity, '250');
  await userEvent.click(await dialog.findByRole('button', { name: 'Save 2' }));
  expect(dialog.getByText('The others have a unit, as in “163 W”.')).toBeDefined();
  expect(enqueue).not.toHaveBeenCalled();
  await userEvent.type(capacity, ' W');
  await userEvent.click(dialog.getByRole('button', { name: 'Save 2' }));
  await soon(() => expect(enqueue).toHaveBeenCalledTimes(2));
});

test('sets every field that records share, and leaves out the name that tells them apart', () => {
  expect(bulkFields(gridTieInverters).map(({ name }) => name)).toEqual(['type', 'brand', 'capacity']);
  expect(bulkFields(generators).map(({ name }) => name)).not.toContain('generator_model');
  expect(bulkFields(aboutItems).map(({ name }) => name)).toEqual(['name']);
});

test('offers the brand of inverters of one type, and leaves out those whose brand another type has not', async () => {
  const inverter = (recordId: string, brand: string, type = 'Single Phase') =>
    ({ recordId, brand, type, model: `M${recordId}`, capacity: '5 kW' }) as unknown as PendingRow;
  const fieldsOf = (rows: readonly PendingRow[]) => {
    render(<BulkEditDialog resource={gridTieInverters} rows={rows} onClose={closed} />);
    const names = [...screen.getByRole<HTMLSelectElement>('combobox', { name: 'Field' }).options].map(
      ({ value }) => value,
    );
    cleanup();
    return names;
  };
  expect(fieldsOf([inverter('1', 'ABB'), inverter('2', 'SMA')])).toEqual(['type', 'brand', 'capacity']);
  expect(fieldsOf([inverter('1', 'ABB'), inverter('2', 'SMA', 'Three Phase')])).toEqual(['type', 'capacity']);
  const rows = [inverter('1', 'ABB'), inverter('2', 'SMA')];
  expect(rowsAllowing(gridTieInverters, rows, 'type', ['SMA'])).toEqual([rows[1]]);
  expect(rowsAllowing(gridTieInverters, rows, 'type', undefined)).toBe(rows);
  expect(rowsAllowing(gridTieInverters, rows, 'capacity', ['SMA'])).toBe(rows);
});
