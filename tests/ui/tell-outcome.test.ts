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

test('a deletion that is done is told in the server’s words', async () => {
  await tellOutcome(deletion({ state: 'done', receipt }));
  expect(told()).toEqual([['Partner Deleted Successfully', 'success']]);
});

test('one that the server refuses is told in its words, as an error, and does not stay in the outbox', async () => {
  const entry = deletion(refused);
  await tellOutcome(entry);
  expect(told()).toEqual([['It is in use.', 'error']]);
  expect(outbox.withdraw).toHaveBeenCalledExactlyOnceWith(entry.id);
});

test('one that the server answers with a fault is told in its words: it is kept, and tried again', async () => {
  const reason = { code: 'server-error', status: 500, message: 'Out of order.' } as const;
  await tellOutcome(deletion({ state: 'pending', reason, createdAt: 1, lastAttemptAt: 2, attempts: 1 }));
  expect(told()).toEqual([[expect.stringContaining('Out of order.'), 'error']]);
});

test('one that has not left is on this device, and that is what is said', async () => {
  await tellOutcome(deletion({ state: 'pending' }));
  expect(told()).toEqual([[expect.stringContaining('on this device'), 'info']]);
});

test('one of what someone else has changed since needs a decision, and is not said to be on its way', async () => {
  const conflict = { fields: [], own: false } as never;
  await tellOutcome(deletion({ state: 'attention', title: 'Sun', conflict }));
  expect(told()).toEqual([['Not deleted yet: someone has changed “Sun” since. See the Outbox.', 'error']]);
  expect(outbox.withdraw).not.toHaveBeenCalled();
});
