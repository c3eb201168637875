import { cleanup, render, screen, within } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { afterEach, expect, test } from 'vitest';
import { ReceiptList } from '../../src/features/outbox/receipt-list.tsx';
import type { OutboxEntry } from '../../src/domain/outbox/vocabulary.ts';
import { creating, editing, entryOf, fileOf } from '../domain/outbox/samples.ts';

const NOW = new Date(2026, 10, 20, 12).getTime();
const HOUR = 3_600_000;

afterEach(cleanup);

/** A partner's change of name that was confirmed this many hours ago. */
function arrived(hoursAgo: number) {
  const edit = editing('7', { name: 'Acme' }, { name: `Name ${hoursAgo}` });
  const receipt = { at: NOW - hoursAgo * HOUR, message: '' };
  return entryOf(edit, { id: `arrived-${hoursAgo}`, title: 'Acme', state: 'done', receipt });
}

function show(hoursAgo: readonly number[]) {
  render(
    <MemoryRouter>
      <ReceiptList receipts={hoursAgo.map(arrived)} now={NOW} />
    </MemoryRouter>,
  );
}

test('groups receipts by day, each with its record and changes', () => {
  show([1, 2, 25]);
  const [today, yesterday] = screen.getAllByRole('region');
  if (today === undefined || yesterday === undefined) throw new Error('There are two days.');
  expect(within(today).getByRole('heading').textContent).toBe('Today 2 changes');
  expect(within(yesterday).getByRole('heading').textContent).toBe('Yesterday 1 change');
  expect(within(yesterday).getByRole('link', { name: 'Acme' }).getAttribute('href')).toBe('/partner-edit/7');
  const [changed] = within(yesterday).getAllByRole('list', { name: 'What changed' });
  expect(changed?.textContent).toContain('Acme → Name 25');
});

/** Shows one receipt of a new partner. */
function showCreated(receipt: object, files: readonly object[] = []) {
  const change = { ...creating('local-1', { name: 'Acme', link: '' }), files } as OutboxEntry['change'];
  const more = { at: NOW, message: 'Partner Created Successfully', serverId: 31, ...receipt };
  render(
    <MemoryRouter>
      <ReceiptList receipts={[entryOf(change, { title: 'Acme', state: 'done', receipt: more })]} now={NOW} />
    </MemoryRouter>,
  );
}

test('links a receipt to its record, and shows its files and, on hover, the server’s message', () => {
  showCreated({}, [fileOf('logo', 'image', 2_000_000)]);
  expect(screen.getByRole('link', { name: 'Acme' }).getAttribute('href')).toBe('/partner-edit/31');
  expect(screen.getByText('Created partner · 1 file, 2.0 MB')).toBeDefined();
  expect(document.querySelector('time')?.title).toBe('Partner Created Successfully');
  expect(screen.queryByText(/may exist twice|Kept someone/)).toBeNull();
});

test('shows when a change was confirmed, not saved, and mentions no merge without one', () => {
  const at = NOW - 90 * 60_000;
  showCreated({ at, merged: [] });
  const time = document.querySelector('time');
  expect(time?.dateTime).toBe(new Date(at).toISOString());
  expect(time?.textContent).toBe(new Date(at).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' }));
  expect(screen.queryByText(/Kept someone/)).toBeNull();
});

test('names fields kept from someone else’s edit, and links a duplicate row', () => {
  showCreated({ merged: ['link'], duplicates: [32] });
  expect(screen.getByText('Kept someone else’s version: Link.')).toBeDefined();
  expect(screen.getByRole('link', { name: 'record 32' }).getAttribute('href')).toBe('/partner-edit/32');
});

test('keeps the order of receipts within a day', () => {
  show([1, 2, 3]);
  const texts = screen.getAllByRole('list', { name: 'What changed' }).map(({ textContent }) => textContent);
  expect(texts).toEqual([1, 2, 3].map((hours) => `Name Acme → Name ${hours}`));
});

test('shows twenty receipts, and the rest on request', async () => {
  show(Array.from({ length: 23 }, (_, index) => index / 10));
  const shown = () => screen.getAllByRole('list', { name: 'What changed' });
  expect(shown()).toHaveLength(20);
  screen.getByRole('button', { name: 'Show 3 more receipts' }).click();
  await expect.poll(shown).toHaveLength(23);
  expect(screen.queryByRole('button')).toBeNull();
});

test('offers no more when all receipts are shown', () => {
  show(Array.from({ length: 20 }, (_, index) => index / 10));
  expect(screen.queryByRole('button')).toBeNull();
});
