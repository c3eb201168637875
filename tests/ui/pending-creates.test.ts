import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { resourceOf } from '../../src/domain/resources/index.ts';
import type { OutboxEntry } from '../../src/domain/outbox/vocabulary.ts';
import { answers, openPageOnNewDevice } from './page.tsx';

const partners = resourceOf('partners');
const KEY = 'a-key-of-its-own';
const rows = [{ id: 5, name: 'Delta' }];

/** A create that was sent and not answered. */
const unheard = {
  change: { op: 'create', resource: 'partners', recordId: 'local-1', values: { name: 'Delta' }, files: [] },
  state: 'sending',
  delivery: [],
  idempotencyKey: KEY,
} as unknown as OutboxEntry;

/** Reads the list again while these changes wait. Returns what is then shown, and the ids that were found. */
async function listed(waiting: () => Promise<OutboxEntry[]>, changesByKey = true) {
  const { device } = await import('../../src/api/device.ts');
  vi.spyOn(await device(), 'pendingEntries').mockImplementation(waiting);
  const { useServerAbilities } = await import('../../src/stores/server-abilities.ts');
  useServerAbilities.setState({ changesByKey });
  const { listCopy } = await import('../../src/api/sources.ts');
  const { liveArrivals } = await import('../../src/api/pending-creates.ts');
  await listCopy(partners).refresh();
  return { shown: listCopy(partners).state().value, arrived: [...(liveArrivals.value() ?? [])] };
}

beforeEach(() => {
  openPageOnNewDevice();
  answers[`GET ${partners.endpoints.list}`] = () => rows;
});
afterEach(() => {
  vi.restoreAllMocks();
});

describe('a list read while a create is being sent', () => {
  it('finds the row of the create by its idempotency key', async () => {
    answers[`GET /api/changes/${KEY}`] = () => ({ message: 'Added.', id: 5 });
    expect(await listed(async () => [unheard])).toEqual({ shown: rows, arrived: [['partners/local-1', 5]] });
  });

  it('knows an id that was confirmed just now, before the screens do', async () => {
    const { device } = await import('../../src/api/device.ts');
    const answered = new Map([
      ['partners/local-1', 5],
      ['sliders/local-2', 6],
    ]);
    vi.spyOn(await device(), 'identities').mockResolvedValue(answered);
    expect((await listed(async () => [])).arrived).toEqual([['partners/local-1', 5]]);
  });

  it('keeps known ids while it looks up another create', async () => {
    answers[`GET /api/changes/${KEY}`] = () => ({ message: 'Added.', id: 5 });
    await listed(async () => [unheard]);
    answers['GET /api/changes/another-key'] = () => ({ message: 'Added.', id: 6 });
    const another = { ...unheard, change: { ...unheard.change, recordId: 'local-2' }, idempotencyKey: 'another-key' };
    const { arrived } = await listed(async () => [another as OutboxEntry]);
    expect(arrived).toEqual([
      ['partners/local-1', 5],
      ['partners/local-2', 6],
    ]);
  });

  it('shows its rows when the create has not arrived', async () => {
    const { ApiFailure } = await import('../../src/api/failure.ts');
    answers[`GET /api/changes/${KEY}`] = () => {
      throw new ApiFailure('missing', 'No such change.');
    };
    expect(await listed(async () => [unheard])).toEqual({ shown: rows, arrived: [] });
  });

  it.each([
    ['is for another list', { change: { ...unheard.change, resource: 'sliders' } }],
    ['has not left yet', { state: 'pending' }],
    ['was repaired under its key', { delivery: ['repair'] }],
  ])('sends no lookup where the create %s', async (_, difference) => {
    const asked = vi.fn(() => ({ id: 5 }));
    answers[`GET /api/changes/${KEY}`] = asked;
    await listed(async () => [{ ...unheard, ...difference } as OutboxEntry]);
    expect(asked).not.toHaveBeenCalled();
  });

  it('sends no lookup to a server that does not support it', async () => {
    const asked = vi.fn(() => ({ id: 5 }));
    answers[`GET /api/changes/${KEY}`] = asked;
    await listed(async () => [unheard], false);
    expect(asked).not.toHaveBeenCalled();
  });

  it('is shown even if the outbox cannot be read', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => {});
    expect((await listed(() => Promise.reject(new Error('The database is broken.')))).shown).toEqual(rows);
  });
});
