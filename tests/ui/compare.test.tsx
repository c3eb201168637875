import { fireEvent, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import type { Base, OutboxEntry } from '../../src/domain/outbox/vocabulary.ts';
import { deleting, editing, entryOf, fileOf, NOW } from '../domain/outbox/samples.ts';
import { hasUnsavedWork, watchUnsaved } from '../../src/stores/unsaved.ts';
import { soon } from '../harness/soon.ts';
import { becomes, openOutbox, outbox, press, toasts } from './open-outbox.tsx';

const reason = { code: 'conflict', message: '' } as const;
const BEFORE = { name: 'Acme', link: 'https://before.example' };

/** Opens the comparison of an edit with what is on the server now. */
function compare(
  mine: Record<string, string>,
  theirs: Partial<Base> & { values: Record<string, string> },
  more: { own?: true; change?: Partial<OutboxEntry['change']> } = {},
): OutboxEntry {
  const conflict = { theirs: { imageIds: [], ...theirs }, foundAt: NOW, ...(more.own && { own: true as const }) };
  const change = { ...editing('7', BEFORE, mine), ...more.change } as OutboxEntry['change'];
  const entry = entryOf(change, { state: 'attention', reason, conflict });
  openOutbox([entry], {}, { address: `/outbox/conflict/${entry.id}` });
  return entry;
}

const both = () =>
  compare(
    { name: 'Mine', link: 'https://mine.example' },
    { values: { name: 'Theirs', link: 'https://theirs.example' } },
  );
const group = (name: RegExp) => screen.getByRole('group', { name });
const side = (name: RegExp, label: RegExp) => within(group(name)).getByRole<HTMLInputElement>('radio', { name: label });
const save = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Save choices' });
const isOutbox = () => screen.findByRole('heading', { name: 'Outbox' });

test('preselects fields that one side changed, and blocks saving until the others are chosen', async () => {
  const entry = compare(
    { name: 'Mine', link: BEFORE.link },
    { values: { name: 'Theirs', link: 'https://theirs.example' } },
  );
  expect(screen.getByRole('heading', { name: 'Compare Acme' })).toBeDefined();
  expect(screen.getByText(/^Edit partner, .* on this device. Someone else has edited it since.$/)).toBeDefined();
  expect(group(/^Name/).querySelector('legend')?.textContent).toBe('Name changed by both');
  expect(group(/^Link/).querySelector('legend')?.textContent).toBe('Link changed on the server');
  expect([side(/^Name/, /^Mine/).checked, side(/^Name/, /^Theirs/).checked]).toEqual([false, false]);
  expect(side(/^Link/, /^Theirs/).checked).toBe(true);
  expect(screen.getByText('1 field left')).toBeDefined();
  expect(save().disabled).toBe(true);
  expect(save().className).toContain('Primary');
  expect([group(/^Name/), group(/^Link/)].map((one) => one.dataset['open'])).toEqual(['true', 'false']);
  await userEvent.click(side(/^Name/, /^Mine/));
  expect(screen.queryByText(/fields? left/)).toBeNull();
  await press('Save choices');
  const values = { name: 'Mine', link: 'https://theirs.example' };
  expect(outbox.resolve).toHaveBeenCalledExactlyOnceWith(entry.id, values, []);
  await isOutbox();
  expect(toasts()).toEqual([]);
});

test('preselects my change, and Theirs reverts it', async () => {
  const entry = compare({ name: 'Mine', link: BEFORE.link }, { values: { ...BEFORE, name: 'Acme' } });
  expect(group(/^Name/).querySelector('legend')?.textContent).toBe('Name changed by you');
  expect(side(/^Name/, /^Mine/).checked).toBe(true);
  expect(save().disabled).toBe(false);
  await userEvent.click(side(/^Name/, /^Theirs/));
  await press('Save choices');
  expect(outbox.resolve).toHaveBeenCalledExactlyOnceWith(entry.id, BEFORE, []);
});

test('shows each version in its column, and marks an empty one', () => {
  compare({ name: 'Mine', link: '' }, { values: { name: 'Theirs', link: 'https://theirs.example' } });
  const columns = (name: RegExp) => [...group(name).querySelectorAll('.conflict-text')].map((text) => text.textContent);
  expect(columns(/^Name/)).toEqual(['Acme', 'Mine', 'Theirs']);
  expect(columns(/^Link/)).toEqual(['https://before.example', '(empty)', 'https://theirs.example']);
});

test('the choices of a field are one group of radio buttons, apart from those of other fields', () => {
  both();
  const groups = [/^Name/, /^Link/].map((name) =>
    within(group(name))
      .getAllByRole<HTMLInputElement>('radio')
      .map((radio) => radio.name),
  );
  expect(groups.map((names) => [names.length, new Set(names).size])).toEqual([
    [3, 1],
    [3, 1],
  ]);
  expect(groups[0]?.[0]).not.toBe(groups[1]?.[0]);
});

test('counts the open fields, and one press chooses a side for all', async () => {
  const entry = both();
  expect(screen.getByText('2 fields left')).toBeDefined();
  await press('All theirs');
  expect([side(/^Name/, /^Theirs/).checked, side(/^Link/, /^Theirs/).checked]).toEqual([true, true]);
  await press('All mine');
  expect([side(/^Name/, /^Mine/).checked, side(/^Link/, /^Mine/).checked]).toEqual([true, true]);
  await press('Save choices');
  const values = { name: 'Mine', link: 'https://mine.example' };
  expect(outbox.resolve).toHaveBeenCalledExactlyOnceWith(entry.id, values, []);
});

test('starts a third value with mine and sends it', async () => {
  const entry = both();
  await userEvent.click(side(/^Link/, /^Mine/));
  await userEvent.click(side(/^Name/, /^Something else/));
  const input = within(group(/^Name/)).getByRole<HTMLInputElement>('textbox');
  expect(input.value).toBe('Mine');
  fireEvent.change(input, { target: { value: '' } });
  expect(input.isConnected).toBe(true);
  fireEvent.change(input, { target: { value: 'Both of us' } });
  expect(side(/^Name/, /^Something else/).checked).toBe(true);
  await press('Save choices');
  const values = { name: 'Both of us', link: 'https://mine.example' };
  expect(outbox.resolve).toHaveBeenCalledExactlyOnceWith(entry.id, values, []);
});

test('sends local files of fields without a difference, and shows a local picture from its bytes', async () => {
  URL.createObjectURL = () => 'blob:mine';
  URL.revokeObjectURL = () => undefined;
  vi.mocked(outbox.file).mockResolvedValue(new File(['GIF8'], 'mine.gif'));
  const base = { values: BEFORE, imageIds: [], files: { image: 'before.png' } };
  const theirs = { values: BEFORE, files: { image: 'theirs.png' } };
  const files = [fileOf('mine', 'image'), fileOf('further', 'images')];
  const entry = compare({ ...BEFORE, name: 'Mine' }, theirs, { change: { files, base } });
  await soon(() => expect(document.querySelector('img[src="blob:mine"]')).not.toBeNull());
  expect(outbox.file).toHaveBeenCalledExactlyOnceWith(files[0]);
  expect(screen.getAllByRole('img', { name: 'On the server' })).toHaveLength(2);
  await press('All mine');
  await press('Save choices');
  expect(outbox.resolve).toHaveBeenCalledExactlyOnceWith(entry.id, { ...BEFORE, name: 'Mine' }, []);
});

test('leaves out a local file when Theirs is chosen for its field', async () => {
  const files = [fileOf('mine', 'image')];
  const theirs = { values: BEFORE, files: { image: 'theirs.png' } };
  const base = { values: BEFORE, imageIds: [], files: { image: 'before.png' } };
  const entry = compare({ ...BEFORE, name: 'Mine' }, theirs, { change: { files, base } });
  await userEvent.click(side(/^Image|^Logo|^Photo/, /^Theirs/));
  await press('Save choices');
  expect(outbox.resolve).toHaveBeenCalledExactlyOnceWith(entry.id, { ...BEFORE, name: 'Mine' }, ['mine']);
});

test('never offers Mine for a file that only the server has', async () => {
  const base = { values: BEFORE, imageIds: [], files: { image: 'before.png' } };
  compare({ ...BEFORE, name: 'Mine' }, { values: BEFORE, files: { image: 'theirs.png' } }, { change: { base } });
  const [picture] = screen.getAllByRole('group').filter((one) => one.textContent.includes('Not changed here'));
  if (picture === undefined) throw new Error('There is no picture.');
  expect(within(picture).queryByRole('radio', { name: /^Mine/ })).toBeNull();
  await press('All mine');
  expect(within(picture).getByRole<HTMLInputElement>('radio', { name: /^Theirs/ }).checked).toBe(true);
});

test('mentions photos added or deleted on the server', () => {
  const base = { values: BEFORE, imageIds: [1, 2, 3] };
  compare({ ...BEFORE, name: 'Mine' }, { values: BEFORE, imageIds: [1, 9] }, { change: { base } });
  expect(document.querySelector('.conflict-photos')?.textContent).toBe(
    'Meanwhile on the server: 1 photo added, 2 photos deleted. That stays as it is.',
  );
});

test('shows a local catalogue by name, not as a picture', () => {
  const base = { values: {}, imageIds: [], files: { catalog: 'before.pdf' } };
  const files = [{ ...fileOf('mine', 'catalog'), type: 'application/pdf', name: 'mine.pdf' }];
  const theirs = { values: {}, files: { catalog: 'theirs.pdf' } };
  compare({}, theirs, { change: { resource: 'generators', files, base } });
  expect(group(/^Catalog/).textContent).toContain('mine.pdf');
  expect(outbox.file).not.toHaveBeenCalled();
});

test('lets a third value of a list field be typed', async () => {
  const change = { resource: 'generators', base: { values: { series: 'Before' }, imageIds: [] } } as const;
  compare({ series: 'Mine' }, { values: { series: 'Theirs' } }, { change });
  await userEvent.click(side(/^Series/, /^Something else/));
  const input = within(group(/^Series/)).getByRole<HTMLInputElement>('textbox');
  fireEvent.change(input, { target: { value: 'Neither' } });
  expect(input.value).toBe('Neither');
});

test('counts a typed value as unsaved work until it is saved', async () => {
  compare({ name: 'Mine', link: BEFORE.link }, { values: { ...BEFORE, name: 'Theirs' } });
  await userEvent.click(side(/^Name/, /^Theirs/));
  await userEvent.click(side(/^Name/, /^Something else/));
  expect(hasUnsavedWork()).toBe(false);
  fireEvent.change(within(group(/^Name/)).getByRole('textbox'), { target: { value: 'Neither' } });
  expect(hasUnsavedWork()).toBe(true);
  const settledOn: (string | undefined)[] = [];
  const stop = watchUnsaved(() => settledOn.push(document.querySelector('h1')?.textContent));
  await press('Save choices');
  await isOutbox();
  stop();
  expect(settledOn[0]).toBe('Compare Acme');
  expect(hasUnsavedWork()).toBe(false);
});

test('mentions photos when some were only deleted', () => {
  const base = { values: BEFORE, imageIds: [1, 2] };
  compare({ ...BEFORE, name: 'Mine' }, { values: BEFORE, imageIds: [1] }, { change: { base } });
  expect(document.querySelector('.conflict-photos')?.textContent).toMatch(
    /^Meanwhile on the server: 1 photo deleted\./,
  );
});

test('mentions no photos when none were added or deleted', () => {
  both();
  expect(document.querySelector('.conflict-photos')).toBeNull();
});

test('does not attribute the user’s own earlier edit to someone else', () => {
  compare({ ...BEFORE, name: 'Mine' }, { values: { ...BEFORE, name: 'Earlier' } }, { own: true });
  expect(screen.getByText(/^Edit partner, .* on this device. You have edited it since.$/)).toBeDefined();
});

test('shows what a deletion would remove, without choices, and offers Delete anyway', async () => {
  const theirs = { values: { ...BEFORE, name: 'Renamed' }, imageIds: [] };
  const base = { values: BEFORE, imageIds: [] };
  const change = { ...deleting('7'), base } as OutboxEntry['change'];
  const entry = entryOf(change, { state: 'attention', reason, conflict: { theirs, foundAt: NOW } });
  openOutbox([entry], {}, { address: `/outbox/conflict/${entry.id}` });
  expect(screen.getByText('Someone else has edited it since you last saw it. Delete it anyway?')).toBeDefined();
  const region = screen.getByRole('region', { name: 'Name' });
  expect(region.textContent).toBe('NameBeforeAcmeNowRenamed');
  expect(region.querySelector<HTMLElement>('.conflict-columns')?.dataset['columns']).toBe('2');
  expect(screen.queryByRole('radio')).toBeNull();
  expect(screen.queryByRole('button', { name: 'All mine' })).toBeNull();
  expect(screen.getByRole('button', { name: 'Delete anyway' }).className).toContain('Error');
  await press('Delete anyway');
  expect(vi.mocked(outbox.resolve).mock.lastCall?.[0]).toBe(entry.id);
  await isOutbox();
});

test('Delete anyway stays possible when more fields differ than at the start', async () => {
  const base = { values: BEFORE, imageIds: [] };
  const change = { ...deleting('7'), base } as OutboxEntry['change'];
  const conflictWith = (values: Record<string, string>) => ({ theirs: { values, imageIds: [] }, foundAt: NOW });
  const entry = entryOf(change, { state: 'attention', reason, conflict: conflictWith({ ...BEFORE, name: 'Renamed' }) });
  openOutbox([entry], {}, { address: `/outbox/conflict/${entry.id}` });
  becomes([{ ...entry, conflict: conflictWith({ name: 'Renamed', link: 'https://new.example' }) } as OutboxEntry]);
  expect(screen.getByRole('region', { name: 'Link' }).textContent).toContain('https://new.example');
  expect(screen.queryByText(/fields? left/)).toBeNull();
  await press('Delete anyway');
  expect(outbox.resolve).toHaveBeenCalledOnce();
  await isOutbox();
});

test('leaves a field that changes on the server meanwhile undecided, and keeps the choices made', () => {
  const entry = compare({ ...BEFORE, name: 'Mine' }, { values: BEFORE });
  expect(side(/^Name/, /^Mine/).checked).toBe(true);
  const theirs = { values: { ...BEFORE, link: 'https://new.example' }, imageIds: [] };
  becomes([{ ...entry, conflict: { theirs, foundAt: NOW } } as OutboxEntry]);
  expect(side(/^Name/, /^Mine/).checked).toBe(true);
  expect([side(/^Link/, /^Mine/).checked, side(/^Link/, /^Theirs/).checked]).toEqual([false, false]);
  expect(screen.getByText('1 field left')).toBeDefined();
  expect(save().disabled).toBe(true);
});

test('keeps the comparison open and reports when the storage fails', async () => {
  vi.spyOn(console, 'error').mockReturnValue();
  vi.mocked(outbox.resolve).mockRejectedValue(new Error('locked'));
  both();
  await press('All mine');
  await press('Save choices');
  const words = 'error: This device’s storage isn’t responding. Your choice was not saved. Try again. (locked)';
  await soon(() => expect(toasts()).toEqual([words]));
  expect(screen.getByRole('heading', { name: 'Compare Acme' })).toBeDefined();
});

test.each([
  ['waits again', [entryOf(deleting('7'), { id: 'settled' })]],
  ['has been sent', []],
])('says that a settled conflict is settled when its change %s, and links to the outbox', (_what, entries) => {
  openOutbox(entries, {}, { address: '/outbox/conflict/settled' });
  expect(screen.getByText('This is settled')).toBeDefined();
  expect(screen.getByRole('link', { name: 'Outbox' }).getAttribute('href')).toBe('/outbox');
});

test('calls nothing settled before the queue is loaded', () => {
  openOutbox(undefined, undefined, { address: '/outbox/conflict/settled' });
  expect(screen.queryByText('This is settled')).toBeNull();
});
