import { beforeEach, expect, test, vi } from 'vitest';
import { outbox } from '../../src/api/outbox.ts';
import type { OutboxEntry } from '../../src/domain/outbox/vocabulary.ts';
import { tellOutcome } from '../../src/resource/tell-outcome.ts';
import { notify } from '../../src/stores/notifications.ts';
import { deleting, entryOf } from '../domain/outbox/samples.ts';

vi.mock('../../src/api/outbox.ts', () => ({ outbox: { withdraw: vi.fn() } }));
vi.mock('../../src/stores/notifications.ts', () => ({ notify: vi.fn() }));

beforeEach(() => void vi.clearAllMocks());

const deletion = (more: Partial<OutboxEntry>) => entryOf(deleting('7'), more as never);
const refused = { state: 'attention', reason: { code: 'refused', message: 'It is in use.' } } as const;
const receipt = { at: 1, message: 'Partner Deleted Successfully' };
const told = () => vi.mocked(notify).mock.calls.map(([message, { kind } = {}]) => [message, kind]);

test('reports a completed deletion in the server’s words', async () => {
  await tellOutcome(deletion({ state: 'done', receipt }));
  expect(told()).toEqual([['Partner Deleted Successfully', 'success']]);
});

test('reports a refused deletion as an error in the server’s words, and removes it from the outbox', async () => {
  const entry = deletion(refused);
  await tellOutcome(entry);
  expect(told()).toEqual([['It is in use.', 'error']]);
  expect(outbox.withdraw).toHaveBeenCalledExactlyOnceWith(entry);
});

test('reports a deletion that failed at the server, and is tried again, in the server’s words', async () => {
  const reason = { code: 'server-error', status: 500, message: 'Out of order.' } as const;
  await tellOutcome(deletion({ state: 'pending', reason, createdAt: 1, lastAttemptAt: 2, attempts: 1 }));
  expect(told()).toEqual([[expect.stringContaining('Out of order.'), 'error']]);
});

test('says that an unsent deletion is on this device', async () => {
  await tellOutcome(deletion({ state: 'pending' }));
  expect(told()).toEqual([[expect.stringContaining('on this device'), 'info']]);
});

test('says that a conflicting deletion needs a decision, not that it is on its way', async () => {
  const conflict = { fields: [], own: false } as never;
  await tellOutcome(deletion({ state: 'attention', title: 'Sun', conflict }));
  expect(told()).toEqual([['Not deleted yet: someone has changed “Sun” since. See the Outbox.', 'error']]);
  expect(outbox.withdraw).not.toHaveBeenCalled();
});
