import 'fake-indexeddb/auto';
import { renderHook } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, test, vi } from 'vitest';
import { outbox } from '../../src/api/outbox.ts';
import type { OutboxEntry } from '../../src/domain/outbox/vocabulary.ts';
import { resourceOf } from '../../src/domain/resources/index.ts';
import { useEntryActions } from '../../src/features/outbox/use-entry-actions.ts';
import { saveImport } from '../../src/resource/csv/save-import.ts';
import { useImageActions } from '../../src/resource/edit/use-image-actions.ts';
import { useDelete } from '../../src/resource/list/use-delete.ts';
import { undoDeletion } from '../../src/resource/undo-deletion.ts';
import { enqueueAll, followed } from '../../src/resource/told.ts';
import { StorageFullError } from '../../src/offline/storage/errors.ts';
import { useNotifications } from '../../src/stores/notifications.ts';

vi.mock('../../src/ui/confirm.tsx', () => ({ useConfirm: () => () => Promise.resolve(true) }));

const partners = resourceOf('partners');
const entry = { id: 'entry-1', title: 'Delta', delivery: [], change: { op: 'delete' } } as unknown as OutboxEntry;
const rows = ['1', '2', '3'].map((recordId) => ({ recordId, name: `Partner ${recordId}` }));
const images = [{ id: 9, image: 'a.jpg' }];
const view = {
  recordId: '1',
  values: { name: 'Delta' },
  images,
  files: {},
  pendingFiles: [],
  sentFiles: [],
  entries: [],
};
const waitingImage = { op: 'update', files: [{ id: 'file-1' }] };
const waitingFor = (change: unknown) => ({ ...view, entries: [{ id: 'entry-1', change }] }) as never;
const line = { line: 2, title: 'Delta', values: { name: 'Delta' }, fileNames: {}, errors: {} };

/** What each action says after the storage failed: exactly one alert. */
function alerts(): string[] {
  return useNotifications
    .getState()
    .take()
    .map(({ kind, message }) => `${kind}: ${message}`);
}

const hook = <T>(use: () => T): T => renderHook(use).result.current;

/** Everything an administrator can ask of the outbox without a form. */
const ACTIONS: Record<string, () => unknown> = {
  'the deletion of a record': () => hook(() => useDelete(partners))(rows.slice(0, 1)),
  'the deletion of several records': () => hook(() => useDelete(partners))(rows),
  'the undo of a deletion in a list': () => undoDeletion('entry-1'),
  'the deletion of an image': () => hook(() => useImageActions(partners, '1', view as never)).onDelete('9'),
  'the deletion of an image that waits': () =>
    hook(() => useImageActions(partners, '1', waitingFor(waitingImage))).onDelete('file-1'),
  'the undo of an image’s deletion': () =>
    hook(() => useImageActions(partners, '1', waitingFor({ op: 'delete-image', imageId: 9 }))).onUndo('9'),
  'an import': () =>
    saveImport([line, line], {
      resource: partners,
      files: new Map(),
      rows: [],
      administrator: '7',
      onProgress: () => undefined,
    }),
  'a retry': () => hook(useEntryActions).retry(entry),
  'an undo in the outbox': () => hook(useEntryActions).undo(entry),
  'a discard': () => hook(useEntryActions).discard(entry),
  'the discard of all': () => hook(useEntryActions).discardAll('7', 3),
  'an adoption': () => hook(useEntryActions).adopt(entry, 4),
};

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  alerts();
});

afterEach(() => {
  vi.restoreAllMocks();
});

describe('an unexpected storage failure', () => {
  beforeEach(() => {
    const failing = () => Promise.reject(new Error('The database connection is closing.'));
    for (const name of Object.keys(outbox)) vi.spyOn(outbox, name as keyof typeof outbox).mockImplementation(failing);
  });

  it.each(Object.keys(ACTIONS))('is reported once at %s', async (name) => {
    await ACTIONS[name]?.();
    await expect.poll(() => useNotifications.getState().waiting).not.toEqual([]);
    expect(alerts()).toEqual([
      expect.stringMatching(
        /^error: This device’s storage isn’t responding\. .+ \(The database connection is closing\.\)$/,
      ),
    ]);
  });

  it('leaves an open record open when its deletion was not stored', async () => {
    expect(await hook(() => useDelete(partners))(rows.slice(0, 1))).toBe(false);
  });
});

test('says that an image sent since its record was read can be deleted later', async () => {
  const { onDelete: remove } = hook(() =>
    useImageActions(partners, '1', { ...view, sentFiles: [{ id: 'file-1' }] } as never),
  );
  await remove('file-1');
  expect(alerts()).toEqual([
    'info: It has been sent. You can delete it once this record has been reloaded from the server.',
  ]);
});

test('does not call a discard undone when the storage fails afterwards', async () => {
  vi.spyOn(outbox, 'discardedWith').mockResolvedValue([]);
  vi.spyOn(outbox, 'discard').mockResolvedValue();
  vi.spyOn(outbox, 'entry').mockRejectedValue(new Error('The database connection is closing.'));
  expect(await hook(useEntryActions).discard(entry)).toBe(true);
  expect(alerts()).toEqual([]);
});

describe('several changes of which some could be stored', () => {
  const changes = rows.map(({ recordId }) => ({
    draft: { op: 'delete', resource: 'partners', recordId } as const,
    about: { administrator: '7', title: 'Delta' },
  }));

  it('are reported with their number, and the stored ones stay', async () => {
    vi.spyOn(outbox, 'enqueue')
      .mockResolvedValueOnce(entry)
      .mockResolvedValueOnce(entry)
      .mockRejectedValue(new Error('The disk is gone.'));
    expect(await enqueueAll(changes)).toEqual([entry, entry]);
    expect(alerts()).toEqual([expect.stringContaining('Only 2 of 3 changes were saved.')]);
  });

  it('name the sizes when the device is full, and the outcome', async () => {
    const full = new StorageFullError(6 * 1024 * 1024, 1024 * 1024);
    vi.spyOn(outbox, 'enqueue').mockResolvedValueOnce(entry).mockRejectedValue(full);
    expect(await enqueueAll(changes)).toEqual([entry]);
    expect(alerts()).toEqual([
      'error: This device is full: 6.0 MB needed, 1.0 MB free. Only 1 of 3 changes were saved.',
    ]);
  });
});

test('returns a change as it was stored when its outcome cannot be read', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  vi.spyOn(outbox, 'follow').mockRejectedValue(new Error('The database connection is closing.'));
  expect(await followed(entry)).toBe(entry);
});
