import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router-dom';
import { afterEach, expect, test, vi } from 'vitest';
import { readHistory } from '../../src/api/record-history.ts';
import { useRecord } from '../../src/api/reads.ts';
import { overlayRecord } from '../../src/domain/outbox/optimistic-view.ts';
import { siteMeta as resource } from '../../src/domain/resources/site-meta.ts';
import EditScreen from '../../src/resource/edit-screen.tsx';

vi.mock('../../src/api/record-history.ts', () => ({ readHistory: vi.fn() }));
vi.mock('../../src/api/reads.ts', () => ({ useRecord: vi.fn() }));
vi.mock('../../src/resource/form/use-draft.ts', () => ({
  recordDraftKey: () => '7/site-meta',
  useStoredDraft: () => null,
  useKeepDraft: () => undefined,
  forgetDraft: () => undefined,
}));

const VALUES = { title: 'Volt', phone: '1', email: 'a@example.com', address: 'Road 1' };

afterEach(cleanup);

function openSiteMeta(settings: Readonly<Record<string, string>>) {
  const record = { id: resource.only, ...settings };
  const view = overlayRecord(resource, record, { entries: [] }, '1');
  const reading = { refreshing: false, refresh: () => undefined, missing: false };
  vi.mocked(useRecord).mockReturnValue({ ...reading, record, view, serverId: resource.only });
  return render(
    <MemoryRouter>
      <EditScreen resource={resource} />
    </MemoryRouter>,
  );
}

test('shows who changed the site settings, with the previous values, once it is opened', async () => {
  const changes = [{ field: 'metaTag', before: null, after: '<meta>' }];
  const entry = {
    id: 4,
    at: '2026-11-20T10:00:00.000Z',
    administrator: 'Omar Faruk',
    action: 'update',
    changes,
  } as const;
  vi.mocked(readHistory).mockResolvedValue([entry]);
  const { container } = openSiteMeta({ ...VALUES, version: 'v1' });
  expect(readHistory).not.toHaveBeenCalled();
  await userEvent.click(screen.getByText('History'));
  // jsdom opens the element but fires no event
  container.querySelector('details')?.dispatchEvent(new Event('toggle'));
  expect(await screen.findByText('Changed by Omar Faruk')).toBeDefined();
  expect(readHistory).toHaveBeenCalledWith(resource, 1, undefined);
  expect(screen.getByText('<meta>').tagName).toBe('INS');
  expect(screen.getByText('empty').tagName).toBe('DEL');
});

test('offers no history where the server keeps none', () => {
  openSiteMeta(VALUES);
  expect(screen.getByDisplayValue('Road 1')).toBeDefined();
  expect(screen.queryByText('History')).toBeNull();
});
