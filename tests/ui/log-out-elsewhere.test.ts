import { beforeEach, expect, it, vi } from 'vitest';
import { device } from '../../src/api/device.ts';
import { takeEarly } from '../../src/api/early-answers.ts';
import { readOn, readOnWhole } from '../../src/api/feed.ts';
import { noteArrivals } from '../../src/api/pending-creates.ts';
import { get } from '../../src/api/request.ts';
import { partners } from '../../src/domain/resources/partners.ts';

vi.mock('../../src/api/device.ts', () => ({ device: vi.fn() }));
vi.mock('../../src/api/early-answers.ts', () => ({ takeEarly: vi.fn() }));
vi.mock('../../src/api/feed.ts', () => ({ readOn: vi.fn(), readOnWhole: vi.fn() }));
vi.mock('../../src/api/pending-creates.ts', () => ({ noteArrivals: vi.fn() }));
vi.mock('../../src/api/request.ts', () => ({ get: vi.fn(), post: vi.fn() }));

const cache = { readList: vi.fn(), writeList: vi.fn(), readRecord: vi.fn(), writeRecord: vi.fn(), readWhole: vi.fn() };

beforeEach(() => {
  for (const call of Object.values(cache)) call.mockReset().mockResolvedValue(undefined);
  vi.mocked(device).mockResolvedValue({ cache } as never);
  for (const call of [readOn, readOnWhole, takeEarly, noteArrivals])
    vi.mocked(call as never as typeof readOn)
      .mockReset()
      .mockResolvedValue(undefined);
});

it('after a log-out in another tab, a tab with an unsaved form writes no more of the user’s data to the device', async () => {
  const { startSession, followOtherTabs, useSession } = await import('../../src/stores/session.ts');
  const { setUnsaved } = await import('../../src/stores/unsaved.ts');
  const { listCopy } = await import('../../src/api/sources.ts');
  followOtherTabs();
  startSession({ id: 7, name: 'User A' }, 'token-1', true);
  vi.mocked(get).mockResolvedValue({ body: [{ id: 1, name: 'Acme' }] });
  const copy = listCopy(partners);
  copy.subscribe(() => {});
  await copy.refresh();
  setUnsaved('form', true);
  cache.writeList.mockClear();
  // the other tab: signOut() offline, so the token still works on the server
  localStorage.clear();
  window.dispatchEvent(new StorageEvent('storage', { key: 'access_token', newValue: null }));
  expect(useSession.getState().ended).toBe(true);
  // the link returns: refreshWatched()
  vi.mocked(get).mockResolvedValue({
    body: [
      { id: 1, name: 'Acme' },
      { id: 2, name: 'Written after the log-out' },
    ],
  });
  await copy.refresh();
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect({ written: cache.writeList.mock.calls.length, shown: copy.state().value?.length }).toEqual({
    written: 0,
    shown: 1,
  });
});
