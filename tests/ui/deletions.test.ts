import 'fake-indexeddb/auto';
import { renderHook } from '@testing-library/react';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { device } from '../../src/api/device.ts';
import { outbox } from '../../src/api/outbox.ts';
import type { OutboxEntry } from '../../src/domain/outbox/vocabulary.ts';
import { resourceOf } from '../../src/domain/resources/index.ts';
import { catalogue as pseudo } from '../../src/language/pseudo.ts';
import { speak } from '../../src/language/t.ts';
import { useDelete } from '../../src/resource/list/use-delete.ts';
import { undoDeletion } from '../../src/resource/undo-deletion.ts';
import { tellOutcome } from '../../src/resource/tell-outcome.ts';
import { type Notification, useNotifications } from '../../src/stores/notifications.ts';
import { useServerAbilities } from '../../src/stores/server-abilities.ts';
import { plainWords } from './untranslated.ts';

const asked = vi.hoisted(() => ({ titles: [] as string[], texts: [] as (string | undefined)[] }));
vi.mock('../../src/ui/confirm.tsx', () => ({
  useConfirm: () => async (question: { title: string; text?: string }) => {
    asked.titles.push(question.title);
    asked.texts.push(question.text);
    return true;
  },
}));

const partners = resourceOf('partners');
const rows = ['1', '2', '3'].map((recordId) => ({ recordId, name: `Partner ${recordId}`, version: `v${recordId}` }));
const entryOf = (id: string, more: object = {}) =>
  ({
    id,
    title: id,
    state: 'pending',
    delivery: [],
    createdAt: 1,
    administrator: 7,
    change: { op: 'delete', resource: 'partners', recordId: id },
    ...more,
  }) as never;

const taken = (): readonly Notification[] => useNotifications.getState().take();
const words = () => taken().map(({ kind, message }) => `${kind}: ${message}`);

/** Deletes these rows. Each change ends as given. */
async function remove(chosen: typeof rows, ends: (id: string) => OutboxEntry | undefined) {
  const enqueue = vi
    .spyOn(outbox, 'enqueue')
    .mockImplementation(async (draft) => entryOf(`of-${'recordId' in draft && draft.recordId}`));
  vi.spyOn(outbox, 'follow').mockImplementation(async (id) => entryOf(id));
  vi.spyOn(outbox, 'entry').mockImplementation(async (id) => ends(id));
  const all = await renderHook(() => useDelete(partners)).result.current(chosen);
  return { all, drafts: enqueue.mock.calls.map(([draft]) => draft) };
}

const done = (id: string): OutboxEntry => entryOf(id, { state: 'done', receipt: { message: 'Partner deleted.' } });

beforeEach(() => {
  vi.restoreAllMocks();
  asked.titles = [];
  taken();
});

test('bases a deletion on the version and the texts that the list showed, and no others', async () => {
  const { all, drafts } = await remove(rows.slice(0, 1), done);
  expect(all).toBe(true);
  const base = { version: 'v1', values: { name: 'Partner 1' }, imageIds: [] };
  expect(drafts).toEqual([{ op: 'delete', resource: 'partners', recordId: '1', base }]);
  await expect.poll(words).toContain('success: Partner deleted.');
});

test('asks once about several deletions, with their number, and reports them once', async () => {
  await remove(rows, done);
  expect(asked.titles).toEqual(['Are you sure? You want to delete these 3 partners?']);
  const told: string[] = [];
  await expect.poll(() => (told.push(...words()), told)).toContain('success: 3 partners deleted');
  expect(told).toEqual(['info: 3 partners will be deleted', 'success: 3 partners deleted']);
});

test('Undo says how many were already sent', async () => {
  await remove(rows, () => undefined);
  const undo = vi.spyOn(outbox, 'undo').mockResolvedValueOnce(false).mockResolvedValue(true);
  const [offered] = taken();
  offered?.action?.run();
  await expect.poll(words).toEqual(['info: 1 of 3 had already been sent.']);
  expect(undo.mock.calls).toEqual([['of-1'], ['of-2'], ['of-3']]);
});

test('removes a refused deletion from the queue, and reports it in the server’s words', async () => {
  const withdraw = vi.spyOn(outbox, 'withdraw').mockResolvedValue(true);
  const entry = entryOf('x', { state: 'attention', reason: { code: 'refused', message: 'It is in use.' } });
  await tellOutcome(entry);
  expect(withdraw).toHaveBeenCalledExactlyOnceWith(entry);
  expect(words()).toEqual(['error: It is in use.']);
});

test('says that a deletion waits, or will be tried again after a fault', async () => {
  await tellOutcome(entryOf('x'));
  expect(words()).toEqual(['info: Saved on this device. It will be sent when the connection returns.']);
  vi.spyOn(await device(), 'queueState').mockResolvedValueOnce({ pause: { cause: 'signed-out' } } as never);
  await tellOutcome(entryOf('x'));
  expect(words()).toEqual(['info: Saved on this device. It will be sent as soon as you sign in.']);
  const reason = { code: 'server-error', status: 500, message: 'The database is being moved' };
  await tellOutcome(entryOf('x', { lastAttemptAt: 2, reason }));
  expect(words()).toEqual([expect.stringMatching(/^error: The database is being moved\. Saved on this device/)]);
});

test('only the deletions that were done are counted as done', async () => {
  const ends = (id: string) => (id === 'of-2' ? (entryOf(id) as OutboxEntry) : done(id));
  await remove(rows, ends);
  const told: string[] = [];
  await expect.poll(() => (told.push(...words()), told)).toContain('success: 2 partners deleted');
});

test('also reports those of several deletions that need attention', async () => {
  const ends = (id: string) => (id === 'of-1' ? done(id) : entryOf(id, { state: 'attention' }));
  await remove(rows, ends);
  const told: string[] = [];
  await expect.poll(() => (told.push(...words()), told)).toContain('success: 1 partner deleted');
  expect(told).toContain('error: 2 of 3 couldn’t be deleted. See the Outbox.');
});

test('reports no outcome after an Undo in time', async () => {
  await remove(rows, () => undefined);
  const undo = vi.spyOn(outbox, 'undo').mockResolvedValue(true);
  taken()[0]?.action?.run();
  await expect.poll(() => undo.mock.calls.length).toBe(3);
  await Promise.all(undo.mock.results.map(({ value }) => value as Promise<boolean>));
  await new Promise((resolve) => setTimeout(resolve));
  expect(words()).toEqual([]);
});

test('does not call an Undo too late when the storage fails', async () => {
  vi.spyOn(console, 'error').mockReturnValue();
  vi.spyOn(outbox, 'undo').mockRejectedValue(new Error('locked'));
  await undoDeletion('of-1');
  expect(words()).toEqual([expect.stringContaining('Nothing was changed. Try again. (locked)')]);
});

test('the outcome of a deletion is awaited beyond the time in which it can be undone', async () => {
  await remove(rows.slice(0, 1), done);
  await expect.poll(words).toContain('success: Partner deleted.');
  const [[, about] = []] = vi.mocked(outbox.enqueue).mock.calls;
  const [[id, patience = 0] = []] = vi.mocked(outbox.follow).mock.calls;
  expect([id, about?.undoFor]).toEqual(['of-1', 6000]);
  expect(patience).toBe(10_000);
});

test('reports the outcome of the only deletion that was not undone', async () => {
  const reason = { code: 'refused', message: 'This partner is shown on the home page.' };
  const refused = (id: string): OutboxEntry => entryOf(id, { state: 'attention', reason });
  await remove(rows, (id) => (id === 'of-3' ? refused(id) : undefined));
  const told: string[] = [];
  await expect.poll(() => (told.push(...words()), told.join())).toContain('This partner is shown on the home page.');
});

test('announces no deletion, and no Undo, when it cannot be stored', async () => {
  vi.spyOn(console, 'error').mockReturnValue();
  vi.spyOn(outbox, 'enqueue').mockRejectedValue(new Error('It is locked.'));
  expect(await renderHook(() => useDelete(partners)).result.current(rows)).toBe(false);
  expect(taken()).toMatchObject([{ kind: 'error' }]);
});

test('translates the questions and messages of deletions', async () => {
  speak(pseudo);
  vi.spyOn(console, 'error').mockReturnValue();
  const named = rows.map((row) => ({ ...row, name: 'Grb' }));
  const told: string[] = [];
  for (const chosen of [named.slice(0, 1), named]) {
    await remove(chosen, () => undefined);
    const [toast] = taken();
    told.push(toast?.message ?? '', toast?.action?.label ?? '');
    for (const undo of [async () => false, () => Promise.reject(new Error('Grb'))]) {
      vi.spyOn(outbox, 'undo').mockImplementation(undo);
      toast?.action?.run();
      await expect.poll(() => useNotifications.getState().waiting).toHaveLength(1);
      told.push(...taken().map(({ message }) => message));
    }
  }
  speak(undefined);
  expect(told).toHaveLength(8);
  expect([...asked.titles, ...told].flatMap(plainWords).filter((word) => word !== 'of')).toEqual([]);
});

test('says before a deletion where records go, unless nothing is kept of them', async () => {
  onTestFinished(() => void useServerAbilities.setState({}, true));
  asked.texts = [];
  await remove(rows, () => undefined);
  useServerAbilities.setState({ trash: { days: 30 } });
  await remove(rows.slice(0, 1), () => undefined);
  await remove(rows, () => undefined);
  await remove([{ recordId: 'local-1', name: 'Never sent', version: '' }], () => undefined);
  expect(asked.texts).toEqual([
    undefined,
    'It stays in the trash for 30 days and can be restored from there.',
    'They stay in the trash for 30 days and can be restored from there.',
    undefined,
  ]);
});
