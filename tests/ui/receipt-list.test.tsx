import { cleanup, render, screen, within } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { afterEach, expect, test } from 'vitest';
import { ReceiptList } from '../../src/features/outbox/receipt-list.tsx';
import type { OutboxEntry } from '../../src/domain/outbox/vocabulary.ts';
import { creating, editing, entryOf, fileOf } from '../domain/outbox/samples.ts';

const NOW = new Date(2026, 10, 20, 12).getTime();
const HOUR = 3_600_000;

afterEach(cleanup);

/** A partner's change of name that arrived so many hours ago. */
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

test('receipts stand under their days, each with its record and what it changed', () => {
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

test('a receipt leads to its record on the server, tells what it carried, and the server’s words on hover', () => {
  showCreated({}, [fileOf('logo', 'image', 2_000_000)]);
  expect(screen.getByRole('link', { name: 'Acme' }).getAttribute('href')).toBe('/partner-edit/31');
  expect(screen.getByText('Created partner · 1 file, 2.0 MB')).toBeDefined();
  expect(document.querySelector('time')?.title).toBe('Partner Created Successfully');
  expect(screen.queryByText(/may exist twice|Kept someone/)).toBeNull();
});

test('a receipt tells when it arrived, not when it was saved, and speaks of no merge that there was not', () => {
  const at = NOW - 90 * 60_000;
  showCreated({ at, merged: [] });
  const time = document.querySelector('time');
  expect(time?.dateTime).toBe(new Date(at).toISOString());
  expect(time?.textContent).toBe(new Date(at).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' }));
  expect(screen.queryByText(/Kept someone/)).toBeNull();
});

test('what was kept as somebody else had changed it is named, and a doubled row is linked', () => {
  showCreated({ merged: ['link'], duplicates: [32] });
  expect(screen.getByText('Kept someone else’s version: Link.')).toBeDefined();
  expect(screen.getByRole('link', { name: 'record 32' }).getAttribute('href')).toBe('/partner-edit/32');
});

test('the receipts of a day stand in their order', () => {
  show([1, 2, 3]);
  const texts = screen.getAllByRole('list', { name: 'What changed' }).map(({ textContent }) => textContent);
  expect(texts).toEqual([1, 2, 3].map((hours) => `Name Acme → Name ${hours}`));
});

test('twenty receipts are shown, and the rest on request', async () => {
  show(Array.from({ length: 23 }, (_, index) => index / 10));
  const shown = () => screen.getAllByRole('list', { name: 'What changed' });
  expect(shown()).toHaveLength(20);
  screen.getByRole('button', { name: 'Show 3 more receipts' }).click();
  await expect.poll(shown).toHaveLength(23);
  expect(screen.queryByRole('button')).toBeNull();
});

test('up to twenty receipts leave nothing to request', () => {
  show(Array.from({ length: 20 }, (_, index) => index / 10));
  expect(screen.queryByRole('button')).toBeNull();
});
