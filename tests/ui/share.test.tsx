import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { MemoryRouter, Route, Routes } from 'react-router-dom';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { SHARE_FAILED } from '../../src/domain/share.ts';
import { drafts } from '../../src/api/drafts.ts';
import ShareScreen from '../../src/features/share/share-screen.tsx';
import { takeFile } from '../../src/fields/photos/take-file.ts';
import { openPanel, usePanel } from '../../src/stores/panels.ts';
import { useSession } from '../../src/stores/session.ts';

vi.mock('../../src/api/drafts.ts', () => ({
  drafts: { shared: vi.fn(), forgetShared: vi.fn(), read: vi.fn(), write: vi.fn() },
}));
vi.mock('../../src/fields/photos/take-file.ts', () => ({ takeFile: vi.fn() }));

/** Ends the reading of the photo that is being taken. */
let ready: (taken: Awaited<ReturnType<typeof takeFile>>) => void;
const photo = { key: 'a', field: 'photos', name: 'roof.png', type: 'image/png', blob: new Blob(['roof']) };

beforeEach(() => {
  // jsdom has no object URLs
  Object.assign(URL, { createObjectURL: () => 'blob:roof', revokeObjectURL: () => undefined });
  useSession.setState({ user: { id: 7, name: 'Nadia Rahman' }, token: 'token-1' });
  vi.mocked(drafts.write).mockResolvedValue();
  vi.mocked(drafts.forgetShared).mockResolvedValue();
  vi.mocked(drafts.shared).mockResolvedValue({ values: {}, files: [photo], savedAt: 1 });
  vi.mocked(takeFile).mockImplementation(() => new Promise((resolve) => (ready = resolve)));
});
afterEach(() => {
  cleanup();
  vi.clearAllMocks();
});

function open(address = '/share') {
  render(
    <MemoryRouter initialEntries={[address]}>
      <Routes>
        <Route path="/share" element={<ShareScreen />} />
        <Route path="/*" element={<p>A form</p>} />
      </Routes>
    </MemoryRouter>,
  );
}

const press = async (name: string) => fireEvent.click(await screen.findByRole('button', { name }));

test('starts one record from shared photos, whatever is pressed meanwhile', async () => {
  open();
  await press('New Generator');
  await press('New Generator');
  await press('New Partner');
  await press('Discard');
  expect(takeFile).toHaveBeenCalledTimes(1);
  expect(drafts.forgetShared).not.toHaveBeenCalled();
  ready({ ok: true, file: { ...photo, field: 'images' } });
  await screen.findByText('A form');
  expect(drafts.write).toHaveBeenCalledTimes(1);
  expect(drafts.write).toHaveBeenCalledWith(
    '7/generators/new',
    expect.objectContaining({ files: [expect.anything()] }),
  );
});

test.each([
  ['alone', [], 'The photos were not kept'],
  ['beside earlier ones', [photo], 'The new photos were not kept.'],
])('says that shared photos were not kept, %s', async (_, files, words) => {
  vi.mocked(drafts.shared).mockResolvedValue({ values: {}, files, savedAt: 1 });
  open(SHARE_FAILED);
  expect(await screen.findByText(words)).toBeDefined();
  expect(screen.getByText(/This device is full, or its storage isn’t responding/)).toBeDefined();
});

test('offers a viewer no record for the photos, only to discard them', async () => {
  useSession.setState({ user: { id: 7, name: 'Nadia Rahman', role: 'viewer' } });
  open();
  expect(await screen.findByText('Your role is viewer. Ask an owner if you need to edit.')).toBeDefined();
  expect(screen.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['Discard']);
  expect(screen.queryByRole('searchbox')).toBeNull();
});

test('lets another kind be chosen when no photo could be added', async () => {
  open();
  await press('New Generator');
  ready({ ok: false, reason: 'This is no picture.' });
  await waitFor(() => expect(screen.getByRole('button', { name: 'New Partner' })).toHaveProperty('disabled', false));
  await press('New Partner');
  expect(takeFile).toHaveBeenCalledTimes(2);
});

test('searches for a scanned code until something is typed', async () => {
  open();
  const search = await screen.findByRole('searchbox', { name: 'Find a record for these photos' });
  act(() => openPanel(undefined, 'SL-100'));
  // The field may have started to listen for codes only now.
  await waitFor(() => expect(search).toHaveProperty('value', 'SL-100'));
  fireEvent.change(search, { target: { value: 'pole' } });
  expect(search).toHaveProperty('value', 'pole');
  fireEvent.change(search, { target: { value: '' } });
  expect(search).toHaveProperty('value', '');
  await press('Scan a code');
  expect(usePanel.getState()).toEqual({ open: 'scan', query: '' });
  expect(search).toHaveProperty('value', '');
  act(() => openPanel(undefined, 'SL-200'));
  expect(search).toHaveProperty('value', 'SL-200');
});
