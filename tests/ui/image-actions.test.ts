import 'fake-indexeddb/auto';
import { renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { outbox } from '../../src/api/outbox.ts';
import type { RecordView } from '../../src/domain/outbox/optimistic-view.ts';
import type { OutboxEntry } from '../../src/domain/outbox/vocabulary.ts';
import { resourceOf } from '../../src/domain/resources/index.ts';
import { useImageActions } from '../../src/resource/edit/use-image-actions.ts';
import { useNotifications } from '../../src/stores/notifications.ts';
import { useSession } from '../../src/stores/session.ts';

const asked = vi.hoisted(() => ({ answer: true, question: {} }));
vi.mock('../../src/ui/confirm.tsx', () => ({
  useConfirm: () => async (question: object) => {
    asked.question = question;
    return asked.answer;
  },
}));

const deletion = (id: string, imageId: number) => ({ id, change: { op: 'delete-image', imageId } });
const waiting = (id: string, fileId: string) => ({ id, change: { op: 'update', files: [{ id: fileId }] } });
const view = {
  recordId: '1',
  version: 'v3',
  values: { brand: 'Lumen', model: 'S1' },
  images: [
    { id: 8, image: 'a.jpg' },
    { id: 9, image: 'b.jpg' },
  ],
  files: {},
  pendingFiles: [],
  sentFiles: [],
  entries: [deletion('deletion-8', 8), deletion('deletion-9', 9), waiting('edit-1', 'f-1'), waiting('edit-2', 'f-2')],
} as unknown as RecordView;

const actions = () => renderHook(() => useImageActions(resourceOf('street-lights'), '1', view)).result.current;

function told(): string[] {
  const taken = useNotifications.getState().take();
  return taken.map(({ kind, message }) => `${kind}: ${message}`);
}

beforeEach(() => {
  asked.answer = true;
  useSession.setState({ user: { id: 7, name: 'Nadia' } });
  told();
});
afterEach(() => {
  vi.restoreAllMocks();
});

test('deletes an image based on the shown version, as the current user, and only after confirmation', async () => {
  const enqueue = vi.spyOn(outbox, 'enqueue').mockResolvedValue({ id: 'x', createdAt: 1 } as OutboxEntry);
  const done = { id: 'x', state: 'done', receipt: { message: 'Image deleted.' } } as OutboxEntry;
  vi.spyOn(outbox, 'follow').mockResolvedValue(done);
  asked.answer = false;
  await actions().onDelete('9');
  expect(enqueue).not.toHaveBeenCalled();
  expect(asked.question).toMatchObject({ confirmLabel: 'Delete', destructive: true });
  asked.answer = true;
  await actions().onDelete('9');
  expect(enqueue).toHaveBeenCalledExactlyOnceWith(
    expect.objectContaining({ op: 'delete-image', recordId: '1', imageId: 9, image: 'b.jpg' }),
    { administrator: '7', title: expect.stringContaining('Lumen') },
  );
  expect(enqueue.mock.lastCall?.[0]).toMatchObject({ base: { version: 'v3', imageIds: [8, 9] } });
  expect(told()).toEqual(['success: Image deleted.']);
});

test.each([
  [true, []],
  [false, ['info: Too late to undo the deletion. See the Outbox.']],
])('Undo keeps the image (in time: %s)', async (inTime, words) => {
  const undo = vi.spyOn(outbox, 'undo').mockResolvedValue(inTime);
  await actions().onUndo('9');
  expect(undo).toHaveBeenCalledExactlyOnceWith('deletion-9');
  expect(told()).toEqual(words);
});

test.each([
  [true, []],
  [false, ['info: It’s already being sent. Delete it once it has arrived.']],
])('removes a waiting image from its change (in time: %s)', async (inTime, words) => {
  const drop = vi.spyOn(outbox, 'dropFile').mockResolvedValue(inTime);
  await actions().onDelete('f-2');
  expect(drop).toHaveBeenCalledExactlyOnceWith('edit-2', 'f-2');
  expect(told()).toEqual(words);
});

test('says that a sent photo can be deleted once the record has been reloaded', async () => {
  const drop = vi.spyOn(outbox, 'dropFile');
  const sent = { ...view, sentFiles: [{ id: 's-1' }] } as unknown as RecordView;
  const { current } = renderHook(() => useImageActions(resourceOf('street-lights'), '1', sent)).result;
  await current.onDelete('s-1');
  expect(told()).toEqual([
    'info: It has been sent. You can delete it once this record has been reloaded from the server.',
  ]);
  expect(drop).not.toHaveBeenCalled();
});

test('removes a waiting image of a new record from its create', async () => {
  const drop = vi.spyOn(outbox, 'dropFile').mockResolvedValue(true);
  const create = { id: 'create-1', change: { op: 'create', files: [{ id: 'f-9' }] } };
  const made = { ...view, images: [], entries: [create] } as unknown as RecordView;
  const { current } = renderHook(() => useImageActions(resourceOf('street-lights'), 'local-1', made)).result;
  await current.onDelete('f-9');
  expect(drop).toHaveBeenCalledExactlyOnceWith('create-1', 'f-9');
});

test('reports once that the storage does not respond, and keeps a waiting image', async () => {
  vi.spyOn(console, 'error').mockReturnValue();
  vi.spyOn(outbox, 'dropFile').mockRejectedValue(new Error('locked'));
  vi.spyOn(outbox, 'undo').mockRejectedValue(new Error('locked'));
  const said = ['error: This device’s storage isn’t responding. Nothing was changed. Try again. (locked)'];
  await actions().onDelete('f-2');
  expect(told()).toEqual(said);
  await actions().onUndo('9');
  expect(told()).toEqual(said);
});
