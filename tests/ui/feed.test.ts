import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { FeedPage } from '../../src/domain/protocol/feed.ts';
import { partners } from '../../src/domain/resources/partners.ts';
import { sliders } from '../../src/domain/resources/sliders.ts';
import { answers, openPageOnNewDevice } from './page.tsx';

const partner = (id: number, name = 'Delta') => ({ id, name, link: null, image: null, version: `v-${name}` });
const row = (id: number, name = 'Delta') => partner(id, name);

function page(cursor: string, parts: Partial<FeedPage> = {}): FeedPage {
  return { cursor, more: false, changed: {}, deleted: {}, ...parts };
}

const SNAPSHOT = page('a.1', { snapshot: true, changed: { partners: [partner(1)] } });

/** A page of a device that follows the feed, with its two lists at hand. */
async function following() {
  answers['GET /api/capabilities'] = () => ({ server: 'voltdesk', feed: true });
  answers['GET /api/feed'] = () => SNAPSHOT;
  const { warmDevice } = await import('../../src/api/prefetch.ts');
  await warmDevice();
  const sources = await import('../../src/api/sources.ts');
  const copies = { partners: sources.listCopy(partners), sliders: sources.listCopy(sliders) };
  await Promise.all([copies.partners.load(), copies.sliders.load()]);
  return { ...sources, ...copies };
}

beforeEach(openPageOnNewDevice);

describe('a device that follows the feed', () => {
  it('has every list after the snapshot, and requests none', async () => {
    const open = await following();
    expect(open.partners.state().value).toEqual([row(1)]);
    expect(open.sliders.state().value).toEqual([]);
  });

  it('follows it even if a list just asked for changes without having a cursor', async () => {
    answers['GET /api/feed'] = () => SNAPSHOT;
    const { beginFeed, readOn } = await import('../../src/api/feed.ts');
    const adopt = async () => {};
    await Promise.all([readOn(adopt), beginFeed(adopt)]);
    const { device } = await import('../../src/api/device.ts');
    expect(await (await device()).feed.readFeed()).toMatchObject({ cursor: 'a.1', complete: true });
  });

  it('requests a list on its own while the snapshot is incomplete', async () => {
    const { ApiFailure } = await import('../../src/api/failure.ts');
    answers['GET /api/feed'] = () => page('a.1', { snapshot: true, more: true });
    const rest = vi.fn(() => {
      throw new ApiFailure('unreachable', 'No answer.');
    });
    answers['GET /api/feed?since=a.1'] = rest;
    const { beginFeed } = await import('../../src/api/feed.ts');
    await expect(beginFeed(async () => {})).rejects.toThrow('No answer.');
    rest.mockClear();
    answers[`GET ${partners.endpoints.list}`] = () => [row(8)];
    const { listCopy } = await import('../../src/api/sources.ts');
    const copy = listCopy(partners);
    copy.adopt({ value: [], fetchedAt: 1 });
    await copy.refresh();
    expect(copy.state().value).toEqual([row(8)]);
    expect(rest).not.toHaveBeenCalled();
  });

  it('shows the current record when it is reopened after a change by someone else', async () => {
    const open = await following();
    answers['GET /api/get-single-partner/1'] = () => row(1);
    const first = open.recordCopy(partners, 1);
    await first.load();
    await first.refresh();
    answers['GET /api/feed?since=a.1'] = () => page('a.2', { changed: { partners: [partner(1, 'New')] } });
    await open.bringUpToDate();
    const again = open.recordCopy(partners, 1);
    await again.load();
    expect(again.state().value).toMatchObject({ name: 'New' });
  });

  it('updates all lists with one request', async () => {
    const open = await following();
    const asked = vi.fn(() => page('a.2', { changed: { partners: [partner(2, 'New')] } }));
    answers['GET /api/feed?since=a.1'] = asked;
    await Promise.all([open.partners.refresh(), open.sliders.refresh(), open.bringUpToDate()]);
    expect(asked).toHaveBeenCalledTimes(1);
    expect(open.partners.state()).toMatchObject({ value: [row(1), row(2, 'New')], refreshing: false });
    expect(open.sliders.state().fetchedAt).toBe(open.partners.state().fetchedAt);
  });

  it('dates lists by the request, however long the answer takes', async () => {
    const open = await following();
    const askedAt = Date.now() + 60_000;
    const clock = vi.spyOn(Date, 'now').mockReturnValue(askedAt);
    answers['GET /api/feed?since=a.1'] = () => {
      clock.mockReturnValue(askedAt + 5_000);
      return page('a.2');
    };
    await open.bringUpToDate();
    clock.mockRestore();
    expect(open.partners.state().fetchedAt).toBe(askedAt);
  });

  it('requests recent changes again if an answer was already on its way', async () => {
    const open = await following();
    let answer: (told: FeedPage) => void = () => {};
    const asked = vi
      .fn()
      .mockImplementationOnce(
        () =>
          new Promise((resolve) => {
            answer = resolve;
          }),
      )
      .mockImplementation(() => page('a.2', { changed: { partners: [partner(1, 'Saved')] } }));
    answers['GET /api/feed?since=a.1'] = asked;
    const early = open.sliders.refresh();
    await expect.poll(() => asked.mock.calls.length).toBe(1);
    const anew = open.partners.refreshAnew();
    answer(page('a.1'));
    await Promise.all([early, anew]);
    expect(asked).toHaveBeenCalledTimes(2);
    expect(open.partners.state().value).toEqual([row(1, 'Saved')]);
  });

  it('continues from where another tab has read to during its own request', async () => {
    const open = await following();
    const { takeFeedPage } = await import('../../src/offline/cache/feed.ts');
    answers['GET /api/feed?since=a.1'] = async () => {
      await takeFeedPage(page('a.5'), { since: 'a.1', fetchedAt: Date.now() });
      return page('a.2', { changed: { partners: [partner(1, 'Older')] } });
    };
    const asked = vi.fn(() => page('a.6', { changed: { partners: [partner(1, 'Newest')] } }));
    answers['GET /api/feed?since=a.5'] = asked;
    await open.bringUpToDate();
    expect(asked).toHaveBeenCalledOnce();
    expect(open.partners.state().value).toEqual([row(1, 'Newest')]);
  });

  it('requests an open record that changed in full, and no other', async () => {
    const open = await following();
    const address = `GET ${partners.endpoints.single}/1`;
    answers[address] = () => partner(1);
    const record = open.recordCopy(partners, 1);
    record.subscribe(() => {});
    await expect.poll(() => record.state().refreshing).toBe(false);
    answers[address] = () => ({ ...partner(1, 'New'), files: [] });
    answers['GET /api/feed?since=a.1'] = () => page('a.2', { changed: { partners: [partner(1, 'New')] } });
    await open.bringUpToDate();
    await expect.poll(() => record.state().value).toMatchObject({ name: 'New', files: [] });
    const asked = vi.fn(() => partner(1));
    answers[address] = asked;
    answers['GET /api/feed?since=a.2'] = () => page('a.3', { changed: { partners: [partner(2)] } });
    await open.bringUpToDate();
    expect(asked).not.toHaveBeenCalled();
  });

  it('starts over after the server was restored', async () => {
    const open = await following();
    answers['GET /api/feed?since=a.1'] = () => page('b.1', { snapshot: true, more: true });
    answers['GET /api/feed?since=b.1'] = () => page('b.2', { changed: { partners: [partner(5)] } });
    await open.partners.refresh();
    expect(open.partners.state().value).toEqual([row(5)]);
  });

  it('reads lists individually when the server no longer has a feed', async () => {
    const open = await following();
    const { ApiFailure } = await import('../../src/api/failure.ts');
    answers['GET /api/feed?since=a.1'] = () => {
      throw new ApiFailure('missing', '');
    };
    answers[`GET ${partners.endpoints.list}`] = () => [row(8)];
    await open.partners.refresh();
    expect(open.partners.state().value).toEqual([row(8)]);
    const { readList } = await import('../../src/offline/cache/cache.ts');
    await expect.poll(async () => (await readList('partners'))?.rows).toEqual([row(8)]);
  });

  it('reports for every list why no update came', async () => {
    const open = await following();
    const { ApiFailure } = await import('../../src/api/failure.ts');
    answers['GET /api/feed?since=a.1'] = () => {
      throw new ApiFailure('unreachable', 'Can’t reach the server.');
    };
    await Promise.all([open.partners.refresh(), open.sliders.refresh(), open.bringUpToDate()]);
    for (const copy of [open.partners, open.sliders])
      expect(copy.state()).toMatchObject({ failure: 'Can’t reach the server.', refreshing: false });
    expect(open.partners.state().value).toEqual([row(1)]);
  });

  it('reads lists individually when the device cannot store the changes', async () => {
    const open = await following();
    vi.spyOn(console, 'warn').mockImplementation(() => {});
    const { device } = await import('../../src/api/device.ts');
    vi.spyOn((await device()).feed, 'takeFeedPage').mockRejectedValue(new Error('The disk is full.'));
    answers['GET /api/feed?since=a.1'] = () => page('a.2', { changed: { partners: [partner(9)] } });
    answers[`GET ${partners.endpoints.list}`] = () => [row(9)];
    await open.partners.refresh();
    expect(open.partners.state().value).toEqual([row(9)]);
    vi.restoreAllMocks();
  });

  it('stores nothing from an answer that arrives after the log-out', async () => {
    const open = await following();
    let answer: (told: FeedPage) => void = () => {};
    const told = vi.fn(
      () =>
        new Promise((resolve) => {
          answer = resolve;
        }),
    );
    answers['GET /api/feed?since=a.1'] = told;
    const asked = open.bringUpToDate();
    await expect.poll(() => told.mock.calls.length).toBe(1);
    const { useSession } = await import('../../src/stores/session.ts');
    await open.forgetCopies();
    useSession.setState({ token: 'token-2' });
    answer(page('a.2', { changed: { partners: [partner(2)] } }));
    await asked;
    const { readList } = await import('../../src/offline/cache/cache.ts');
    expect(await readList('partners')).toBeUndefined();
  });

  it('adopts what another tab has read', async () => {
    const open = await following();
    const { feed } = await (await import('../../src/api/device.ts')).device();
    const { followFeedOfTabs } = await import('../../src/api/feed.ts');
    followFeedOfTabs(open.adoptTaken);
    const taken = await feed.takeFeedPage(page('a.2', { changed: { partners: [partner(1, 'Other tab')] } }), {
      since: 'a.1',
      fetchedAt: Date.now(),
    });
    const other = new BroadcastChannel('voltdesk-feed');
    const tell = other.postMessage.bind(other);
    tell({ ...(taken as object), lists: new Map([['partners', undefined]]) });
    await expect.poll(() => open.partners.state().value).toEqual([row(1, 'Other tab')]);
    other.close();
  });

  it('notifies the other tabs of a changed list, and of nothing when nothing changed', async () => {
    const open = await following();
    const { followFeedOfTabs } = await import('../../src/api/feed.ts');
    followFeedOfTabs(open.adoptTaken);
    const other = new BroadcastChannel('voltdesk-feed');
    const told: string[][] = [];
    other.addEventListener('message', ({ data }: MessageEvent<{ lists: Map<string, unknown> }>) => {
      told.push([...data.lists.keys()]);
    });
    answers['GET /api/feed?since=a.1'] = () => page('a.2');
    await open.bringUpToDate();
    answers['GET /api/feed?since=a.2'] = () => page('a.3', { changed: { partners: [partner(1, 'New')] } });
    await open.bringUpToDate();
    await expect.poll(() => told).toEqual([['partners']]);
    other.close();
  });

  it.each([
    ['settings', { settings: { id: 1, title: 'New' } }],
    ['choices', { lookups: [] }],
  ])('notifies the other tabs when only %s changed', async (_, parts) => {
    const open = await following();
    const { followFeedOfTabs } = await import('../../src/api/feed.ts');
    followFeedOfTabs(open.adoptTaken);
    const other = new BroadcastChannel('voltdesk-feed');
    const told: unknown[] = [];
    other.addEventListener('message', ({ data }) => told.push(data));
    answers['GET /api/feed?since=a.1'] = () => page('a.2', parts);
    await open.bringUpToDate();
    const [settings, lookups] = ['settings' in parts, 'lookups' in parts];
    await expect.poll(() => told).toMatchObject([{ settings, lookups, lists: new Map(), fetchedAt: 0 }]);
    other.close();
  });
});
