import { beforeEach, expect, it, vi } from 'vitest';
import { followSettled } from '../../src/api/confirmed-overlay.ts';
import { liveIdentities } from '../../src/api/live.ts';
import { followConfirmed } from '../../src/api/revalidation.ts';
import { listCopy, openRecordCopy, recordCopy } from '../../src/api/sources.ts';
import { identityKey } from '../../src/domain/outbox/optimistic-view.ts';
import type { OutboxEntry } from '../../src/domain/outbox/vocabulary.ts';
import { partners } from '../../src/domain/resources/partners.ts';
import { siteMeta } from '../../src/domain/resources/site-meta.ts';
import { creating, deleting, editing, entryOf } from '../domain/outbox/samples.ts';

vi.mock('../../src/api/confirmed-overlay.ts', () => ({ followSettled: vi.fn() }));
vi.mock('../../src/api/live.ts', () => ({
  liveIdentities: { value: vi.fn() },
  liveQueueState: { value: () => undefined, subscribe: () => () => {} },
}));
vi.mock('../../src/api/sources.ts', () => ({
  bringUpToDate: vi.fn(),
  refreshWatched: vi.fn(),
  listCopy: vi.fn(),
  openRecordCopy: vi.fn(),
  recordCopy: vi.fn(),
}));

const asked: string[] = [];
const copyOf = (name: string) => ({ refreshAnew: async () => void asked.push(name) }) as never;

let confirm: (done: OutboxEntry) => Promise<void> = async () => {};

beforeEach(() => {
  asked.length = 0;
  vi.mocked(liveIdentities.value).mockReturnValue(undefined);
  vi.mocked(listCopy).mockImplementation(({ name }) => copyOf(`list of ${name}`));
  vi.mocked(openRecordCopy).mockImplementation(({ name }, id) => copyOf(`${name} ${id}`));
  vi.mocked(recordCopy).mockImplementation(({ name }, id) => copyOf(`${name} ${id}`));
  followConfirmed();
  confirm = vi.mocked(followSettled).mock.lastCall?.[0] ?? confirm;
});

const done = (change: Parameters<typeof entryOf>[0], more: object = {}) => entryOf(change, { state: 'done', ...more });

it('reloads the list and the open record of a confirmed edit', async () => {
  await confirm(done(editing('7', { name: 'A' }, { name: 'B' })));
  expect(asked).toEqual(['list of partners', 'partners 7']);
});

it('does not reload a record that is not open', async () => {
  vi.mocked(openRecordCopy).mockReturnValue(undefined);
  await confirm(done(editing('7', { name: 'A' }, { name: 'B' })));
  expect(asked).toEqual(['list of partners']);
  expect(openRecordCopy).toHaveBeenCalledWith(partners, 7);
});

it('reloads a record created here by the server’s id, from its receipt or learned since', async () => {
  await confirm(done(creating(), { receipt: { at: 1, message: '', serverId: 31 } }));
  vi.mocked(liveIdentities.value).mockReturnValue(new Map([[identityKey('partners', 'local-1'), 31]]));
  await confirm(done(editing('local-1', { name: 'A' }, { name: 'B' })));
  expect(asked).toEqual(['list of partners', 'partners 31', 'list of partners', 'partners 31']);
});

it('reloads only the list when the server’s id is unknown', async () => {
  await confirm(done(editing('local-1', { name: 'A' }, { name: 'B' })));
  expect(asked).toEqual(['list of partners']);
  expect(openRecordCopy).not.toHaveBeenCalled();
});

it('does not reload a deleted record', async () => {
  await confirm(done(deleting('7'), { receipt: { at: 1, message: '', serverId: 7 } }));
  expect(asked).toEqual(['list of partners']);
});

it('the settings of the site have no list', async () => {
  const change = { ...editing('1', { title: 'A' }, { title: 'B' }), resource: 'site-meta' } as const;
  await confirm(done(change));
  expect(asked).toEqual([`${siteMeta.name} ${siteMeta.only}`]);
});
