import 'fake-indexeddb/auto';
import { act, cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { gridTieInverters } from '../../src/domain/resources/grid-tie-inverters.ts';
import { partners } from '../../src/domain/resources/partners.ts';
import ImportDialog from '../../src/resource/csv/import-dialog.tsx';
import { hasUnsavedWork } from '../../src/stores/unsaved.ts';
import { notify } from '../../src/stores/notifications.ts';
import type { ImportOutcome, saveImport as SaveImport } from '../../src/resource/csv/save-import.ts';
import { completeRows } from '../../src/resource/csv/whole-rows.ts';
import { soon } from '../harness/soon.ts';

vi.mock('../../src/stores/notifications.ts', () => ({ notify: vi.fn() }));
const outbox = vi.hoisted(() => ({ saveImport: vi.fn<typeof SaveImport>() }));
vi.mock('../../src/resource/csv/save-import.ts', () => outbox);
const server = vi.hoisted(() => ({ read: Promise.resolve() }));
vi.mock('../../src/api/sources.ts', () => ({
  recordCopy: () => ({ refresh: () => server.read, state: () => ({ value: { id: 7, name: 'Moon', link: '' } }) }),
}));
afterEach(cleanup);

const wrong = 'name,link,image\n,not an address,sun.png\n';
const right = 'name,link,image\nSun,,sun.png\n';
const picture = new File(['picture'], 'sun.png', { type: 'image/png' });

/** A CSV file whose content can change, as on a disk. */
function csvFile(name: string, content: string) {
  const file = new File([content], name, { type: 'text/csv' });
  const holds = (text: string | Promise<string>) => {
    file.arrayBuffer = async () => new TextEncoder().encode(await text).buffer;
  };
  holds(content);
  return { file, holds };
}

function open(onClose = () => {}) {
  render(<ImportDialog resource={partners} rows={[]} onClose={onClose} />);
  return screen.getByLabelText<HTMLInputElement>('CSV file and the files it names');
}

const importable = () => screen.findByRole('button', { name: 'Import 1 line' });

test('a file that was corrected can be picked again under its name', async () => {
  const input = open();
  const { file, holds } = csvFile('partners.csv', wrong);
  await userEvent.upload(input, [file, picture]);
  expect(await screen.findByText(/1 line with errors/)).toBeDefined();
  // A browser reports a pick only if it differs from what the input holds.
  expect(input.files).toHaveLength(0);
  holds(right);
  await userEvent.upload(input, file);
  expect(await importable()).toHaveProperty('disabled', false);
  expect(screen.queryByText(/with errors/)).toBeNull();
});

test('uses the CSV file picked last, even if it was picked before', async () => {
  const input = open();
  const { file, holds } = csvFile('partners.csv', wrong);
  await userEvent.upload(input, [file, picture]);
  await userEvent.upload(input, csvFile('others.csv', wrong).file);
  await screen.findByText(/partners\.csv.*others\.csv|sun\.png, others\.csv/);
  holds(right);
  await userEvent.upload(input, file);
  expect(await importable()).toHaveProperty('disabled', false);
});

test('does not replace a CSV file with one that was picked earlier but read more slowly', async () => {
  const input = open();
  const slow = csvFile('slow.csv', wrong);
  const text = Promise.withResolvers<string>();
  slow.holds(text.promise);
  await userEvent.upload(input, [slow.file, picture]);
  await userEvent.upload(input, csvFile('quick.csv', right).file);
  await importable();
  text.resolve(wrong);
  await text.promise;
  // The steps of the slow file, started after it.
  await act(() => completeRows(partners, []));
  expect(await importable()).toHaveProperty('disabled', false);
  expect(screen.queryByText(/with errors/)).toBeNull();
});

test('a CSV file whose records are read slowly does not replace one picked after it', async () => {
  const reading = Promise.withResolvers<void>();
  server.read = reading.promise;
  const partial = [{ recordId: '7', id: 7, name: 'Moon' }];
  render(<ImportDialog resource={partners} rows={partial as never} onClose={() => {}} />);
  const input = screen.getByLabelText<HTMLInputElement>('CSV file and the files it names');
  await userEvent.upload(input, csvFile('slow.csv', 'id,name\n7,Luna\n').file);
  await userEvent.upload(input, [csvFile('quick.csv', right).file, picture]);
  await screen.findByRole('cell', { name: 'Sun' });
  reading.resolve();
  // The slow file is processed by the time the same steps, started after it, are done.
  await act(() => completeRows(partners, partial as never));
  expect(screen.getByRole('cell', { name: 'Sun' })).toBeDefined();
  expect(screen.queryByText('Changes record 7')).toBeNull();
});

test('asks to choose a CSV file again that has changed since and cannot be read', async () => {
  const input = open();
  const { file, holds } = csvFile('partners.csv', wrong);
  await userEvent.upload(input, file);
  await screen.findByText(/1 line with errors/);
  file.arrayBuffer = () => Promise.reject(new DOMException('The file has changed.', 'NotReadableError'));
  await userEvent.upload(input, picture);
  expect(notify).toHaveBeenCalledWith(expect.stringMatching(/“partners\.csv” can’t be read/), { kind: 'error' });
  expect(screen.getByRole('button', { name: 'Import' })).toHaveProperty('disabled', true);
  holds(right);
  await userEvent.upload(input, file);
  expect(await importable()).toHaveProperty('disabled', false);
});

test('records that cannot be read for a preview are reported', async () => {
  vi.mocked(notify).mockClear();
  vi.spyOn(console, 'error').mockReturnValueOnce();
  const reading = Promise.withResolvers<void>();
  server.read = reading.promise;
  const partial = [{ recordId: '7', id: 7, name: 'Moon' }];
  render(<ImportDialog resource={partners} rows={partial as never} onClose={() => {}} />);
  await userEvent.upload(
    screen.getByLabelText('CSV file and the files it names'),
    csvFile('partners.csv', 'id,name\n7,Luna\n').file,
  );
  reading.reject(new Error('locked'));
  await soon(() =>
    expect(notify).toHaveBeenCalledWith(expect.stringContaining('Nothing was changed.'), { kind: 'error' }),
  );
  server.read = Promise.resolve();
});

test('keeps Cancel, Escape and app updates from interrupting an import', async () => {
  const onClose = vi.fn();
  const saving = Promise.withResolvers<ImportOutcome>();
  outbox.saveImport.mockReturnValue(saving.promise);
  await userEvent.upload(open(onClose), [csvFile('partners.csv', right).file, picture]);
  await userEvent.click(await importable());
  expect(hasUnsavedWork()).toBe(true);
  expect(screen.getByRole('button', { name: 'Cancel' })).toHaveProperty('disabled', true);
  await userEvent.keyboard('{Escape}');
  expect(onClose).not.toHaveBeenCalled();
  saving.resolve({ saved: [2], problems: [] });
  await expect.poll(() => onClose.mock.calls).toHaveLength(1);
  cleanup();
  expect(hasUnsavedWork()).toBe(false);
});

test('lists lines with errors first, lets them be corrected in place, and saves no line twice', async () => {
  const onClose = vi.fn();
  const table = 'name,link,image\nSun,,sun.png\nMoon,no address,sun.png\nStar,,star.png\n';
  await userEvent.upload(open(onClose), [csvFile('partners.csv', table).file, picture]);
  await screen.findByRole('button', { name: 'Import 1 line' });
  const titles = () => screen.getAllByRole('row').map((row) => row.querySelectorAll('td')[1]?.textContent);
  expect(titles()).toEqual([undefined, 'Moon', 'Star', 'Sun']);
  expect(screen.getByText('Choose star.png along with this file.').closest('tr')?.textContent).toContain('Star');
  await userEvent.click(screen.getByLabelText('Show lines with errors only'));
  expect(titles()).toEqual([undefined, 'Moon', 'Star']);
  const link = screen.getByLabelText('Link');
  await userEvent.clear(link);
  await userEvent.type(link, 'https://moon.example');
  outbox.saveImport.mockImplementation(async (lines, { onProgress }) => {
    onProgress(1);
    return { saved: lines.map(({ line }) => line), problems: [] };
  });
  await userEvent.click(await screen.findByRole('button', { name: 'Import 2 lines' }));
  await expect.poll(() => titles()).toEqual([undefined, 'Star']);
  expect(onClose).not.toHaveBeenCalled();
  expect(outbox.saveImport.mock.lastCall?.[0].map(({ values }) => values['link'])).toEqual([
    '',
    'https://moon.example',
  ]);
  await userEvent.upload(screen.getByLabelText<HTMLInputElement>('CSV file and the files it names'), [
    new File(['star'], 'star.png', { type: 'image/png' }),
  ]);
  await userEvent.click(await importable());
  await expect.poll(() => onClose.mock.calls).toHaveLength(1);
  expect(outbox.saveImport.mock.lastCall?.[0].map(({ line }) => line)).toEqual([4]);
});

test('corrected lines count as unsaved work until they are imported', async () => {
  const table = 'name,link,image\nMoon,no address,sun.png\nStar,,star.png\n';
  await userEvent.upload(open(), [csvFile('partners.csv', table).file, picture]);
  const link = await screen.findByLabelText('Link');
  expect(hasUnsavedWork()).toBe(false);
  await userEvent.clear(link);
  expect(hasUnsavedWork()).toBe(true);
  outbox.saveImport.mockResolvedValue({ saved: [2], problems: [] });
  await userEvent.click(await importable());
  await soon(() => expect(screen.queryByLabelText('Link')).toBeNull());
  expect(hasUnsavedWork()).toBe(false);
});

test('says what each line results in: a new record, or which one it changes', async () => {
  const there = { recordId: '7', id: 7, name: 'Moon', link: '', image: 'moon.png' };
  render(<ImportDialog resource={partners} rows={[there] as never} onClose={() => {}} />);
  const table = 'id,name,link,image\n,Sun,,sun.png\n7,Luna,,\n';
  const control = screen.getByLabelText<HTMLInputElement>('CSV file and the files it names');
  await userEvent.upload(control, [csvFile('partners.csv', table).file, picture]);
  await screen.findByRole('button', { name: 'Import 2 lines' });
  const cells = screen
    .getAllByRole('row')
    .map((row) => [...row.querySelectorAll('td')].map((cell) => cell.textContent));
  expect(cells.slice(1)).toEqual([
    ['2', 'Sun', 'New'],
    ['3', 'Luna', 'Changes record 7'],
  ]);
});

test('lists unchanged lines last, does not import them, and closes despite them', async () => {
  const onClose = vi.fn();
  const known = (id: number, name: string) => ({ recordId: String(id), id, name, link: '', image: 'moon.png' });
  const rows = [known(7, 'Moon'), known(8, 'Star')];
  render(<ImportDialog resource={partners} rows={rows as never} onClose={onClose} />);
  const control = screen.getByLabelText<HTMLInputElement>('CSV file and the files it names');
  await userEvent.upload(control, csvFile('partners.csv', 'id,name\n7,Moon\n8,Sirius\n').file);
  await importable();
  const effects = screen.getAllByRole('row').map((row) => row.querySelectorAll('td')[2]?.textContent);
  expect(effects).toEqual([undefined, 'Changes record 8', 'No change']);
  outbox.saveImport.mockImplementation(async (lines) => ({ saved: lines.map(({ line }) => line), problems: [] }));
  await userEvent.click(await importable());
  await expect.poll(() => onClose.mock.calls).toHaveLength(1);
  expect(outbox.saveImport.mock.lastCall?.[0].map(({ title }) => title)).toEqual(['Sirius']);
});

test('shows the progress of an import', async () => {
  const saving = Promise.withResolvers<ImportOutcome>();
  outbox.saveImport.mockReturnValue(saving.promise);
  const table = 'name,link,image\nSun,,sun.png\nMoon,,sun.png\n';
  await userEvent.upload(open(), [csvFile('partners.csv', table).file, picture]);
  await userEvent.click(await screen.findByRole('button', { name: 'Import 2 lines' }));
  act(() => outbox.saveImport.mock.lastCall?.[1].onProgress(1));
  expect(screen.getByRole('progressbar', { name: '1 of 2' })).toHaveProperty('value', 1);
  await act(async () => saving.resolve({ saved: [2, 3], problems: [] }));
});

test('a long import shows its first 100 lines, counts the rest, and names the columns it does not use', async () => {
  const lines = Array.from({ length: 101 }, (_, at) => `Sun ${at},,sun.png,red`);
  const table = ['name,link,image,colour', ...lines].join('\n');
  await userEvent.upload(open(), [csvFile('partners.csv', table).file, picture]);
  await screen.findByRole('button', { name: 'Import 101 lines' });
  const [output] = screen.getAllByRole('status').filter(({ className }) => className === 'import-counts');
  expect(output?.textContent).toBe('101 new records, 0 changes. Columns not used: colour.');
  expect(document.querySelectorAll('tbody tr')).toHaveLength(100);
  expect(screen.getByText('and 1 more line')).toBeDefined();
  expect(screen.queryByLabelText('Show lines with errors only')).toBeNull();
});

test('names the columns, those for files, and the values of choices', () => {
  open();
  expect(screen.getByRole('dialog', { name: 'Import Partners' }).textContent).toContain(
    'names the columns: name, link. A line with an id updates that record; a line without one creates a new record. New records need files: choose them too, and name them in the column image, separated by semicolons.',
  );
  cleanup();
  render(<ImportDialog resource={gridTieInverters} rows={[]} onClose={() => {}} />);
  expect(screen.getByRole('dialog').textContent).toContain(
    'name them in the columns catalog and images, separated by semicolons. The column type takes Single Phase or Three Phase.',
  );
});

test('the template is downloaded under the name of its kind', async () => {
  const made: Blob[] = [];
  URL.createObjectURL = (blob) => `blob:${made.push(blob as Blob)}`;
  const clicked: string[] = [];
  const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(
    this: HTMLAnchorElement,
  ) {
    clicked.push(this.download);
  });
  open();
  await userEvent.click(screen.getByRole('button', { name: 'Template' }));
  expect(clicked).toEqual(['partners-template.csv']);
  expect(await made[0]?.text()).toContain('id,name,link,image');
  click.mockRestore();
});

test.each(['partners.TSV', 'partners.txt'])(
  '%s is recognised as the table, with tabs between its cells',
  async (name) => {
    await userEvent.upload(open(), [csvFile(name, right.replaceAll(',', '\t')).file, picture]);
    expect(await importable()).toHaveProperty('disabled', false);
    expect(screen.getByText(`${name}, sun.png`)).toBeDefined();
  },
);

test('a partial import reports what was saved and why a line was not, and stays open until it is closed', async () => {
  const onClose = vi.fn();
  vi.mocked(notify).mockClear();
  outbox.saveImport.mockResolvedValue({ saved: [2], problems: ['Line 3: “sun.png” is empty.'] });
  const table = 'name,link,image\nSun,,sun.png\nMoon,,sun.png\n';
  await userEvent.upload(open(onClose), [csvFile('partners.csv', table).file, picture]);
  expect(screen.getByRole('button', { name: 'Cancel' })).toBeDefined();
  await userEvent.click(await screen.findByRole('button', { name: 'Import 2 lines' }));
  await screen.findByRole('button', { name: 'Import 1 line' });
  expect(vi.mocked(notify).mock.calls).toEqual([
    ['1 change saved on this device and being sent.', { kind: 'done' }],
    ['Line 3: “sun.png” is empty.', { kind: 'error' }],
  ]);
  await userEvent.click(screen.getByRole('button', { name: 'Close' }));
  expect(onClose).toHaveBeenCalledOnce();
});

test('an import that saves nothing claims no success', async () => {
  vi.mocked(notify).mockClear();
  outbox.saveImport.mockResolvedValue({ saved: [], problems: [] });
  await userEvent.upload(open(), [csvFile('partners.csv', right).file, picture]);
  await userEvent.click(await importable());
  expect(await importable()).toHaveProperty('disabled', false);
  expect(screen.getByRole('button', { name: 'Cancel' })).toHaveProperty('disabled', false);
  expect(notify).not.toHaveBeenCalled();
});

test('a wrong choice is corrected from its options, and a missing lookup value by typing', async () => {
  render(<ImportDialog resource={gridTieInverters} rows={[]} onClose={() => {}} />);
  const table = 'type,brand,capacity,model,catalog,images\nDouble,,5 kW,M1,sun.pdf,sun.png\n';
  const control = screen.getByLabelText<HTMLInputElement>('CSV file and the files it names');
  await userEvent.upload(control, [
    csvFile('inverters.csv', table).file,
    picture,
    new File(['%PDF'], 'sun.pdf', { type: 'application/pdf' }),
  ]);
  expect(await screen.findByText(/Allowed: Single Phase, Three Phase/)).toBeDefined();
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Type' }), 'Three Phase');
  await userEvent.type(screen.getByRole('textbox', { name: 'Brand' }), 'ABB');
  expect(await importable()).toHaveProperty('disabled', false);
  expect(screen.getByText('New')).toBeDefined();
});
