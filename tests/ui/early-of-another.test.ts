import { beforeEach, expect, it, vi } from 'vitest';
import { device } from '../../src/api/device.ts';
import { readOn, readOnWhole } from '../../src/api/feed.ts';
import { noteArrivals } from '../../src/api/pending-creates.ts';
import { get } from '../../src/api/request.ts';
import { partners } from '../../src/domain/resources/partners.ts';
import { firstRowsAddress } from '../../src/domain/resource.ts';

vi.mock('../../src/api/device.ts', () => ({ device: vi.fn() }));
vi.mock('../../src/api/feed.ts', () => ({ readOn: vi.fn(), readOnWhole: vi.fn() }));
vi.mock('../../src/api/pending-creates.ts', () => ({ noteArrivals: vi.fn() }));
vi.mock('../../src/api/request.ts', () => ({ get: vi.fn(), post: vi.fn() }));

const cache = {
  readList: vi.fn(),
  writeList: vi.fn(),
  readRecord: vi.fn(),
  writeRecord: vi.fn(),
  readWhole: vi.fn(),
  removeCopies: vi.fn(),
};

beforeEach(() => {
  for (const call of Object.values(cache)) call.mockReset().mockResolvedValue(undefined);
  vi.mocked(device).mockResolvedValue({ cache } as never);
  for (const call of [readOn, readOnWhole, noteArrivals])
    vi.mocked(call as never as typeof readOn)
      .mockReset()
      .mockResolvedValue(undefined);
});

it('rows asked for with one user’s token at page start are not shown to, and kept for, the next one', async () => {
  localStorage.setItem('access_token', 'token-of-anna');
  vi.stubGlobal(
    'fetch',
    vi.fn(
      async () =>
        new Response(JSON.stringify([{ id: 1, name: 'Only A may see this' }]), {
          headers: { 'Content-Type': 'application/json' },
        }),
    ),
  );
  const { askEarly } = await import('../../src/api/early-answers.ts');
  askEarly(firstRowsAddress(partners));
  const { closeSession, startSession } = await import('../../src/stores/session.ts');
  const { forgetCopies, listCopy } = await import('../../src/api/sources.ts');
  // User A's session was to end with the browser (or the device's database says so): nobody is signed in. User B signs in.
  closeSession();
  await forgetCopies();
  startSession({ id: 8, name: 'Omar' }, 'token-of-omar', true);
  vi.mocked(get).mockResolvedValue({ body: [] });
  const copy = listCopy(partners);
  copy.subscribe(() => {});
  await copy.refresh();
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect({
    shown: (copy.state().value ?? []).map(({ name }) => name),
    kept: cache.writeList.mock.calls.map(([, list]) => list.rows.length),
    asked: vi.mocked(get).mock.calls.length,
  }).toEqual({ shown: [], kept: [0], asked: 1 });
});
