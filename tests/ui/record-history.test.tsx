import { cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ApiFailure } from '../../src/api/failure.ts';
import { readHistory } from '../../src/api/record-history.ts';
import type { HistoryEntry, KeptFile } from '../../src/domain/history.ts';
import { resourceOf } from '../../src/domain/resources/index.ts';
import { generators } from '../../src/domain/resources/generators.ts';
import type { Values } from '../../src/domain/validate.ts';
import { catalogue as german } from '../../src/language/de.ts';
import { speak } from '../../src/language/t.ts';
import { RecordHistory } from '../../src/resource/edit/record-history.tsx';

vi.mock('../../src/api/record-history.ts', () => ({ readHistory: vi.fn() }));
const asked = vi.mocked(readHistory);

beforeEach(() => asked.mockReset());
afterEach(cleanup);

const entry: HistoryEntry = {
  id: 1,
  at: '2026-11-20T10:00:00.000Z',
  administrator: 'Nadia Rahman',
  action: 'update',
  changes: [{ field: 'engine_model', before: 'Old engine', after: 'New engine' }],
};

const broughtBack = vi.fn<(values: Values, files: readonly KeptFile[]) => void>();
const shown = (version = 'v1') => (
  <RecordHistory
    owner={generators}
    id={12}
    version={version}
    values={{ brand: 'Perkins', engine_model: 'New engine' }}
    onBringBack={broughtBack}
  />
);

async function open(version?: string) {
  const view = render(shown(version));
  await userEvent.click(screen.getByText('History'));
  // jsdom opens the element but fires no event
  view.container.querySelector('details')?.dispatchEvent(new Event('toggle'));
  return view;
}

test('loads only when it is opened, and says who changed what', async () => {
  asked.mockResolvedValue([entry]);
  render(shown());
  expect(asked).not.toHaveBeenCalled();
  cleanup();
  await open();
  expect(await screen.findByText('Changed by Nadia Rahman')).toBeDefined();
  expect(document.querySelector('time')?.title).toBe(new Date(entry.at).toLocaleString('en-GB'));
  expect(screen.getByText('Engine model')).toBeDefined();
  expect(screen.getByText('Old engine').tagName).toBe('DEL');
  expect(screen.getByText('New engine').tagName).toBe('INS');
});

test('says that the server cannot be reached, and retries', async () => {
  asked.mockRejectedValueOnce(new ApiFailure('unreachable', 'Can’t reach the server.'));
  asked.mockResolvedValueOnce([entry]);
  await open();
  expect(await screen.findByText('Can’t reach the server.')).toBeDefined();
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
  expect(await screen.findByText('Changed by Nadia Rahman')).toBeDefined();
});

test('reloads when the record has a new version', async () => {
  asked.mockResolvedValue([entry]);
  const view = await open('v1');
  await screen.findByText('Changed by Nadia Rahman');
  asked.mockResolvedValue([{ ...entry, id: 2, administrator: 'Omar Faruk' }]);
  view.rerender(shown('v2'));
  expect(await screen.findByText('Changed by Omar Faruk')).toBeDefined();
});

test('restores the texts of an earlier version, and offers none that the record already has', async () => {
  const created: HistoryEntry = { ...entry, id: 0, action: 'create', changes: [] };
  asked.mockResolvedValue([entry, created]);
  await open();
  await userEvent.click(await screen.findByRole('button', { name: 'Restore this version' }));
  expect(broughtBack).toHaveBeenCalledExactlyOnceWith({ brand: 'Perkins', engine_model: 'Old engine' }, []);
});

test('ignores a late answer once a newer version was loaded', async () => {
  const first = Promise.withResolvers<HistoryEntry[]>();
  asked.mockReturnValueOnce(first.promise);
  const view = await open('v1');
  const newer = { ...entry, id: 2, changes: [{ field: 'engine_model', before: 'New engine', after: 'Newest engine' }] };
  asked.mockResolvedValueOnce([newer, entry]);
  view.rerender(shown('v2'));
  await screen.findByText('Newest engine');
  first.resolve([entry]);
  await first.promise;
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(screen.getByText('Newest engine')).toBeDefined();
});

test('loads the history of another record with the same version', async () => {
  asked.mockResolvedValueOnce([entry]);
  const view = await open();
  await screen.findByText('Changed by Nadia Rahman');
  asked.mockResolvedValueOnce([{ ...entry, id: 2, administrator: 'Omar Faruk' }]);
  view.rerender(<RecordHistory owner={generators} id={13} version="v1" values={{}} />);
  expect(await screen.findByText('Changed by Omar Faruk')).toBeDefined();
  expect(asked).toHaveBeenLastCalledWith(generators, 13, undefined);
});

test('a record without any history says so', async () => {
  asked.mockResolvedValue([]);
  await open();
  expect(await screen.findByText('No history yet')).toBeDefined();
});

test('disables Retry while it reloads', async () => {
  asked.mockRejectedValueOnce(new ApiFailure('unreachable', 'Can’t reach the server.'));
  asked.mockReturnValueOnce(new Promise(() => undefined));
  await open();
  const retry = await screen.findByRole<HTMLButtonElement>('button', { name: 'Retry' });
  expect(retry.disabled).toBe(false);
  await userEvent.click(retry);
  expect(retry.disabled).toBe(true);
});

test('offers no earlier version to a viewer', async () => {
  asked.mockResolvedValue([entry, { ...entry, id: 0, action: 'create', changes: [] }]);
  const view = await open();
  await screen.findByRole('button', { name: 'Restore this version' });
  view.rerender(<RecordHistory owner={generators} id={12} version="v1" values={{ engine_model: 'New engine' }} />);
  expect(screen.queryByRole('button', { name: 'Restore this version' })).toBeNull();
});

test('shows a choice in the user’s language, and a missing text as empty', async () => {
  speak(german);
  const changes = [
    { field: 'type', before: null, after: 'Three Phase' },
    { field: 'model', before: 'Single Phase', after: 'Three Phase' },
  ];
  asked.mockResolvedValue([{ ...entry, changes }]);
  const owner = resourceOf('ups');
  const view = render(<RecordHistory owner={owner} id={12} version="v1" values={{}} />);
  await userEvent.click(view.container.querySelector('summary') as HTMLElement);
  view.container.querySelector('details')?.dispatchEvent(new Event('toggle'));
  await waitFor(() => expect(view.container.querySelectorAll('ins')).toHaveLength(2));
  const texts = (tag: string) => [...view.container.querySelectorAll(tag)].map(({ textContent }) => textContent);
  const labels = texts('dt');
  speak(undefined);
  expect(labels).toEqual(['Typ', 'Modell']);
  expect(texts('ins')).toEqual(['Dreiphasig', 'Three Phase']);
  expect(texts('del')).toEqual(['leer', 'Single Phase']);
});

test('offers a version of which only a file is missing, and brings that file back', async () => {
  broughtBack.mockReset();
  const files = [{ field: 'images', file: 'a.jpg', name: 'front.jpg' }];
  const removal: HistoryEntry = { ...entry, id: 2, action: 'delete-image', changes: [] };
  asked.mockResolvedValue([removal, { ...entry, files }]);
  await open();
  await userEvent.click(await screen.findByRole('button', { name: 'Restore this version' }));
  expect(broughtBack).toHaveBeenCalledExactlyOnceWith({ brand: 'Perkins', engine_model: 'New engine' }, files);
});
