import { expect, test } from 'vitest';
import { allRows } from '../../../src/domain/protocol/all-rows.ts';
import { CONTRACT_ONLY, readCapabilities } from '../../../src/domain/protocol/capabilities.ts';
import { feedAddress, listRowOf, readFeedPage } from '../../../src/domain/protocol/feed.ts';
import { PRESENCE_BEAT, PRESENCE_LASTS, readBeat, readPresent } from '../../../src/domain/protocol/presence.ts';
import type { ListRow, Resource } from '../../../src/domain/resource.ts';
import { resourceOf } from '../../../src/domain/resources/index.ts';

/** Answers as a device reads them, whoever gave them. */

test('a server that tells some of its limits has the contract’s others', () => {
  const told = { server: 'voltdesk', idempotencyKeys: true, limits: { maxFileBytes: 5 } };
  expect(readCapabilities(200, told)).toEqual({
    ...CONTRACT_ONLY,
    ...told,
    limits: { ...CONTRACT_ONLY.limits, maxFileBytes: 5 },
  });
});

test('a server of the contract alone is asked for nothing beyond it', () => {
  const { server, limits, ...abilities } = CONTRACT_ONLY;
  expect([server, limits.maxFilesPerRequest]).toEqual(['contract-only', 20]);
  expect(Object.entries(abilities).filter(([, able]) => able !== false)).toEqual([['imageSizes', []]]);
  expect(abilities).not.toHaveProperty('staging');
  expect(abilities).not.toHaveProperty('batches');
});

test.each<[string, number, unknown]>([
  ['an error with the body of one that can do more', 500, { server: 'voltdesk', idempotencyKeys: true }],
  ['a server of another name', 200, { server: 'other', idempotencyKeys: true }],
  ['nothing', 200, null],
  ['a text', 200, 'voltdesk'],
])('%s is taken for a server of the contract alone', (_what, status, body) => {
  expect(readCapabilities(status, body)).toBe(CONTRACT_ONLY);
});

test('a cursor goes into the address as it is, whatever letters it has', () => {
  expect(feedAddress(undefined)).toBe('/api/feed');
  expect(new URL(feedAddress('a+b/&c=1'), 'https://desk').searchParams.get('since')).toBe('a+b/&c=1');
});

const page = { cursor: '7', more: false, changed: {}, deleted: {} };

test.each(['cursor', 'more', 'changed', 'deleted'])('a page of the feed without `%s` is none', (part) => {
  expect(readFeedPage(page)).toEqual(page);
  expect(readFeedPage({ ...page, [part]: undefined })).toBeUndefined();
});

test('the row of a whole record shows its first photo, its version, and whether there is a catalogue', () => {
  const record = { id: 7, brand: 'B', model: 'M', version: 3, catalog: 'a.pdf', images: [] };
  const images = ['first.png', 'last.png'].map((image, index) => ({ id: index + 1, image }));
  const row = (more: object) => listRowOf(resourceOf('ups') as Resource, { ...record, ...more });
  expect(row({ images })).toMatchObject({ id: 7, brand: 'B', version: 3, photo: 'first.png', has_catalog: 1 });
  expect(row({ catalog: '' })).toMatchObject({ photo: null, has_catalog: 0 });
  expect(row({ catalog: null })).toMatchObject({ has_catalog: 0 });
});

const beat = { resource: 'ups', id: 7, page: 'page-1234' };

test.each(['looking', 'typing', 'left'])('a page that tells that it is `%s` is read', (doing) => {
  expect(readBeat({ ...beat, doing, more: 'than that' })).toEqual({ ...beat, doing });
});

test.each<[string, object | undefined]>([
  ['of a kind that nobody knows', { resource: 'cats' }],
  ['of no whole number', { id: 7.5 }],
  ['of a number in letters', { id: '7' }],
  ['of a page without a name', { page: '' }],
  ['of a page with a long one', { page: 'p'.repeat(41) }],
  ['of something else done', { doing: 'sleeping' }],
])('what a page tells %s is not read', (_what, more) => {
  expect(readBeat({ ...beat, doing: 'looking', ...more })).toBeUndefined();
});

test('who else is there is nobody where the answer is none', () => {
  expect(readPresent({ present: [{ name: 'Ada', isTyping: true }] })).toEqual([{ name: 'Ada', isTyping: true }]);
  expect([readPresent(undefined), readPresent({ present: 'Ada' })]).toEqual([[], []]);
});

test('one beat that is lost takes nobody away', () => {
  expect(PRESENCE_LASTS).toBeGreaterThan(2 * PRESENCE_BEAT);
});

async function asked(paged: boolean, pages: readonly (readonly ListRow[])[]) {
  const paths: string[] = [];
  const list = { endpoints: { create: '', list: '/api/list', single: '', delete: '' }, paged };
  const rows = await allRows(list, async (path) => {
    paths.push(path);
    return pages[Math.min(paths.length, pages.length) - 1] ?? [];
  });
  return { paths, ids: rows.map(({ id }) => id) };
}

test('a list without pages is read once, one with pages from the first to one that brings nothing new', async () => {
  expect(await asked(false, [[{ id: 1 }]])).toEqual({ paths: ['/api/list'], ids: [1] });
  expect(await asked(true, [[{ id: 1 }], [{ id: 2 }], []])).toEqual({
    paths: ['/api/list?page=1', '/api/list?page=2', '/api/list?page=3'],
    ids: [1, 2],
  });
});

test('a server that ignores the page is asked no third time', async () => {
  expect(await asked(true, [[{ id: 1 }]])).toEqual({ paths: ['/api/list?page=1', '/api/list?page=2'], ids: [1] });
});
