import 'fake-indexeddb/auto';
import { beforeEach, expect, it, vi } from 'vitest';
import { generators } from '../../src/domain/resources/generators.ts';
import { startSession } from '../../src/stores/session.ts';
import { useConnection } from '../../src/stores/connection.ts';
import { useServerAbilities } from '../../src/stores/server-abilities.ts';

/** The real axios; every request gets what Traefik, nginx or a tunnel answers while the app's container restarts. */
vi.mock('axios', async (original) => {
  const axios = await original<typeof import('axios')>();
  const adapter = async (config: object) => ({
    status: 404,
    statusText: '',
    data: '404 page not found',
    config,
    headers: { 'content-type': 'text/plain; charset=utf-8' },
  });
  return { ...axios, create: (config: object) => axios.create({ ...config, adapter: adapter as never }) };
});

const record = { id: 3, brand: 'Perkins', generator_model: 'P45E', version: 'v1', images: [] };

beforeEach(async () => {
  const { browserEnvironment } = await import('../../src/offline/storage/browser-environment.ts');
  const { clearCache } = await import('../../src/offline/storage/cache-database.ts');
  await clearCache(browserEnvironment().cache);
  useConnection.setState({ radio: true, answers: true });
  startSession({ id: 7, name: 'Nadia' }, 'token-1', true);
});

it('a proxy’s 404 does not remove a record from the device and call it deleted', async () => {
  const { writeRecord, readRecord } = await import('../../src/offline/cache/cache.ts');
  const { recordCopy } = await import('../../src/api/sources.ts');
  await writeRecord('generators', { record: record as never, fetchedAt: Date.now() - 1000 });
  const copy = recordCopy(generators, 3);
  await copy.load();
  expect(copy.state().value?.['brand']).toBe('Perkins');
  await copy.refresh();
  const { missing, value } = copy.state();
  expect({ missing, shown: value?.['brand'], onDevice: (await readRecord('generators', 3))?.record['brand'] }).toEqual({
    missing: false,
    shown: 'Perkins',
    onDevice: 'Perkins',
  });
});

it('nor does it empty a list that is on this device', async () => {
  const { writeList } = await import('../../src/offline/cache/cache.ts');
  const { listCopy } = await import('../../src/api/sources.ts');
  await writeList('generators', { rows: [record] as never, fetchedAt: Date.now() - 1000 });
  const copy = listCopy(generators);
  await copy.load();
  await copy.refresh();
  const { value, fetchedAt, failure } = copy.state();
  expect({ rows: value?.length, known: fetchedAt !== undefined, failed: failure !== undefined }).toEqual({
    rows: 1,
    known: true,
    failed: true,
  });
});

it('nor does it make the device forget the feed it follows', async () => {
  const { takeFeedPage, readFeed } = await import('../../src/offline/cache/feed.ts');
  await takeFeedPage(
    { cursor: 'c1', snapshot: true, more: false, changed: { generators: [record] }, deleted: {} } as never,
    { since: undefined, fetchedAt: Date.now() - 1000 },
  );
  const { readOn } = await import('../../src/api/feed.ts');
  await readOn(async () => {}).catch(() => undefined);
  expect((await readFeed())?.cursor).toBe('c1');
});

it('nor does it take our own server for a stock back end', async () => {
  const { keepAbilities } = await import('../../src/stores/server-abilities.ts');
  const { refreshCapabilities } = await import('../../src/api/capabilities.ts');
  const { readCapabilities } = await import('../../src/domain/protocol/capabilities.ts');
  const own = readCapabilities(200, {
    server: 'voltdesk',
    fullLists: true,
    presence: true,
    activity: true,
    people: true,
  });
  if (own !== undefined) keepAbilities(own);
  const before = useServerAbilities.getState().presence;
  await refreshCapabilities();
  expect({ before, after: useServerAbilities.getState().presence }).toEqual({ before: true, after: true });
});

it('a change confirmed after the clock was put right is shown on a copy from before', async () => {
  const { notIn } = await import('../../src/api/confirmed-overlay.ts');
  const done = { id: 'e', state: 'done', receipt: { at: Date.now() - 1000 } } as never;
  // the list was read while the clock was a day ahead; the edit was made and sent after it had been put right
  expect(notIn([done], Date.now() + 86_400_000)).toHaveLength(1);
});
