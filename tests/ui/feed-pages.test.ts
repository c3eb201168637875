import 'fake-indexeddb/auto';
import { beforeEach, describe, expect, it } from 'vitest';
import type { FeedPage } from '../../src/domain/protocol/feed.ts';
import {
  readList,
  readLookup,
  readRecord,
  readWhole,
  removeCopies,
  writeList,
  writeLookup,
  writeRecord,
} from '../../src/offline/cache/cache.ts';
import { forgetFeed, readFeed, takeFeedPage } from '../../src/offline/cache/feed.ts';

const partner = (id: number, name = `Partner ${id}`) => ({ id, name, link: null, image: null, version: `v-${name}` });
const row = partner;

function page(cursor: string, parts: Partial<FeedPage> = {}): FeedPage {
  return { cursor, more: false, changed: {}, deleted: {}, ...parts };
}

const first = page('a.2', { snapshot: true, changed: { partners: [partner(1), partner(2)] } });
const rows = async () => (await readList('partners'))?.rows;

/** A device whose lists follow the feed. */
async function following() {
  await takeFeedPage(first, { since: undefined, fetchedAt: 10 });
}

beforeEach(() => removeCopies());

describe('a snapshot of the feed', () => {
  it('becomes the lists of the device', async () => {
    await following();
    expect(await rows()).toEqual([row(1), row(2)]);
    expect((await readWhole('partners'))?.records).toEqual([partner(1), partner(2)]);
    expect(await readList('sliders')).toEqual({ rows: [], fetchedAt: 10 });
  });

  it('leaves the lists unchanged until its last page has arrived', async () => {
    await writeList('partners', { rows: [row(9)], fetchedAt: 1 });
    await takeFeedPage({ ...first, more: true }, { since: undefined, fetchedAt: 10 });
    expect(await rows()).toEqual([row(9)]);
    expect(await readFeed()).toMatchObject({ cursor: 'a.2', complete: false });
    const last = page('a.4', { changed: { partners: [partner(2, 'New')] }, deleted: { partners: [1] } });
    const taken = await takeFeedPage(last, { since: 'a.2', fetchedAt: 20 });
    expect(await rows()).toEqual([row(2, 'New')]);
    expect(taken).toMatchObject({ fetchedAt: 20, settings: true, lookups: true });
    expect(await readFeed()).toMatchObject({ cursor: 'a.4', complete: true });
  });

  it('replaces everything, including opened records, when the server’s database was rebuilt', async () => {
    await following();
    await writeRecord('partners', { record: { ...partner(1), files: [] }, fetchedAt: 11 });
    const anew = page('b.1', { snapshot: true, changed: { partners: [partner(3)] } });
    await takeFeedPage(anew, { since: 'a.2', fetchedAt: 20 });
    expect(await rows()).toEqual([row(3)]);
    expect(await readRecord('partners', 1)).toBeUndefined();
  });

  it('is not mixed with the pages of an interrupted one', async () => {
    await takeFeedPage({ ...first, more: true }, { since: undefined, fetchedAt: 10 });
    const anew = page('b.1', { snapshot: true, more: true, changed: { partners: [partner(3)] } });
    await takeFeedPage(anew, { since: 'a.2', fetchedAt: 20 });
    await takeFeedPage(page('b.2'), { since: 'b.1', fetchedAt: 30 });
    expect(await rows()).toEqual([row(3)]);
  });
});

describe('a delta of the feed', () => {
  beforeEach(following);

  it('is merged into lists and whole records, in the order of ids', async () => {
    const delta = page('a.5', { changed: { partners: [partner(1, 'New'), partner(3)] }, deleted: { partners: [2] } });
    const taken = await takeFeedPage(delta, { since: 'a.2', fetchedAt: 20 });
    expect(await rows()).toEqual([row(1, 'New'), row(3)]);
    expect((await readWhole('partners'))?.records).toEqual([partner(1, 'New'), partner(3)]);
    expect(taken).toMatchObject({ ids: new Map([['partners', [1, 3, 2]]]), settings: false, lookups: false });
  });

  it('removes an opened record that has changed, and keeps the others', async () => {
    for (const id of [1, 2]) await writeRecord('partners', { record: partner(id), fetchedAt: 11 });
    await takeFeedPage(page('a.3', { changed: { partners: [partner(1, 'New')] } }), { since: 'a.2', fetchedAt: 20 });
    expect(await readRecord('partners', 1)).toBeUndefined();
    expect(await readRecord('partners', 2)).toBeDefined();
  });

  it('updates settings and lists of choices', async () => {
    const lookups = [{ lookup: 'ups-types', parent: '', options: ['Flywheel'] }] as const;
    await takeFeedPage(page('a.3', { settings: { id: 1, title: 'Power' }, lookups }), { since: 'a.2', fetchedAt: 20 });
    expect((await readRecord('site-meta', 1))?.record).toEqual({ id: 1, title: 'Power' });
    expect((await readLookup('ups-types'))?.options).toEqual(['Flywheel']);
  });

  it('makes every list as fresh as the answer, even one that did not change', async () => {
    await takeFeedPage(page('a.2'), { since: 'a.2', fetchedAt: 50 });
    expect((await readList('sliders'))?.fetchedAt).toBe(50);
    expect((await readWhole('partners'))?.fetchedAt).toBe(50);
  });

  it('is ignored when another tab has read further, or the copies were removed', async () => {
    await takeFeedPage(page('a.3', { deleted: { partners: [2] } }), { since: 'a.2', fetchedAt: 20 });
    const late = page('a.3', { changed: { partners: [partner(2)] } });
    expect(await takeFeedPage(late, { since: 'a.2', fetchedAt: 15 })).toBe('overtaken');
    expect(await rows()).toEqual([row(1)]);
    await removeCopies();
    expect(await takeFeedPage(late, { since: 'a.3', fetchedAt: 30 })).toBe('overtaken');
    expect(await rows()).toBeUndefined();
  });

  it('is not undone by a late answer to another request', async () => {
    await writeList('partners', { rows: [row(7)], fetchedAt: 5 });
    expect(await rows()).toEqual([row(1), row(2)]);
  });

  it('no longer overrides lists that are read directly once the feed is forgotten', async () => {
    await forgetFeed();
    await writeList('partners', { rows: [row(7)], fetchedAt: 5 });
    expect(await rows()).toEqual([row(7)]);
  });
});

describe('the feed of a gateway, which gives rows', () => {
  const stock = (id: number, name = `Partner ${id}`) => ({ id, name, image: 'logo.png', updated_at: '2026-11-20' });
  const rowsPage = (cursor: string, parts: Partial<FeedPage> = {}) => page(cursor, { rowsOnly: true, ...parts });
  const take = (told: FeedPage, since: string | undefined, fetchedAt: number) =>
    takeFeedPage(told, { since, fetchedAt });

  beforeEach(async () => {
    await writeRecord('partners', { record: { ...stock(1), link: 'https://example.com' }, fetchedAt: 5 });
    await take(rowsPage('g.2', { snapshot: true, changed: { partners: [stock(1), stock(2)] } }), undefined, 10);
  });

  it('becomes the lists as they are, but not whole records', async () => {
    expect(await rows()).toEqual([stock(1), stock(2)]);
    expect(await readWhole('partners')).toBeUndefined();
  });

  it('changes and removes rows, and keeps an opened record until it is requested again', async () => {
    const told = rowsPage('g.4', { changed: { partners: [stock(1, 'New')] }, deleted: { partners: [2] } });
    const taken = await take(told, 'g.2', 20);
    expect(taken).toMatchObject({ ids: new Map([['partners', [1, 2]]]), settings: false, lookups: false });
    expect(await rows()).toEqual([stock(1, 'New')]);
    expect((await readRecord('partners', 1))?.record['link']).toBe('https://example.com');
    await take(rowsPage('g.5', { deleted: { partners: [1] } }), 'g.4', 30);
    expect(await readRecord('partners', 1)).toBeUndefined();
  });

  it('leaves lists of choices to their own calls', async () => {
    await writeLookup('ups-types', { options: ['Online'], fetchedAt: 11 });
    await take(rowsPage('g.3', { changed: { partners: [stock(3)] } }), 'g.2', 20);
    expect(await readLookup('ups-types')).toEqual({ options: ['Online'], fetchedAt: 11 });
  });

  it('replaces whole records, as it cannot tell whether they changed', async () => {
    await removeCopies();
    await following();
    await take(rowsPage('g.2', { snapshot: true, changed: { partners: [stock(1)] } }), 'a.2', 30);
    expect(await readWhole('partners')).toBeUndefined();
    expect(await rows()).toEqual([stock(1)]);
  });
});
