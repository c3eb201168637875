import { expect, test } from 'vitest';
import { allRows } from '../../../src/domain/protocol/all-rows.ts';
import { CONTRACT_ONLY, readCapabilities } from '../../../src/domain/protocol/capabilities.ts';
import { feedAddress, listRowOf, readFeedPage } from '../../../src/domain/protocol/feed.ts';
import { PRESENCE_BEAT, PRESENCE_LASTS, readBeat, readPresent } from '../../../src/domain/protocol/presence.ts';
import type { ListRow, Resource } from '../../../src/domain/resource.ts';
import { resourceOf } from '../../../src/domain/resources/index.ts';

/** How a device reads the answers of any server. */

test('limits that a server leaves out are those of the contract', () => {
  const told = { server: 'voltdesk', idempotencyKeys: true, limits: { maxFileBytes: 5 } };
  expect(readCapabilities(200, told)).toEqual({
    ...CONTRACT_ONLY,
    ...told,
    limits: { ...CONTRACT_ONLY.limits, maxFileBytes: 5 },
  });
});

test('a contract-only server is asked for nothing beyond the contract', () => {
  const { server, limits, ...abilities } = CONTRACT_ONLY;
  expect([server, limits.maxFilesPerRequest]).toEqual(['contract-only', 20]);
  expect(Object.entries(abilities).filter(([, able]) => able !== false)).toEqual([['imageSizes', []]]);
  expect(abilities).not.toHaveProperty('staging');
  expect(abilities).not.toHaveProperty('batches');
});

test.each<[string, number, unknown]>([
  ['an error with the body of a capable server', 500, { server: 'voltdesk', idempotencyKeys: true }],
  ['a server with another name', 200, { server: 'other', idempotencyKeys: true }],
  ['nothing', 200, null],
  ['a text', 200, 'voltdesk'],
])('%s is treated as a contract-only server', (_what, status, body) => {
  expect(readCapabilities(status, body)).toBe(CONTRACT_ONLY);
});

test('a cursor goes into the address unchanged, whatever characters it has', () => {
  expect(feedAddress(undefined)).toBe('/api/feed');
  expect(new URL(feedAddress('a+b/&c=1'), 'https://desk').searchParams.get('since')).toBe('a+b/&c=1');
});

const page = { cursor: '7', more: false, changed: {}, deleted: {} };

test.each(['cursor', 'more', 'changed', 'deleted'])('refuses a page of the feed without `%s`', (part) => {
  expect(readFeedPage(page)).toEqual(page);
  expect(readFeedPage({ ...page, [part]: undefined })).toBeUndefined();
});

test('the row of a record shows its first photo, its version and whether it has a catalogue', () => {
  const record = { id: 7, brand: 'B', model: 'M', version: 3, catalog: 'a.pdf', images: [] };
  const images = ['first.png', 'last.png'].map((image, index) => ({ id: index + 1, image }));
  const row = (more: object) => listRowOf(resourceOf('ups') as Resource, { ...record, ...more });
  expect(row({ images })).toMatchObject({ id: 7, brand: 'B', version: 3, photo: 'first.png', has_catalog: 1 });
  expect(row({ catalog: '' })).toMatchObject({ photo: null, has_catalog: 0 });
  expect(row({ catalog: null })).toMatchObject({ has_catalog: 0 });
});

const beat = { resource: 'ups', id: 7, page: 'page-1234' };

test.each(['looking', 'typing', 'left'])('reads a presence message with the state `%s`', (doing) => {
  expect(readBeat({ ...beat, doing, more: 'than that' })).toEqual({ ...beat, doing });
});

test.each<[string, object | undefined]>([
  ['of an unknown kind', { resource: 'cats' }],
  ['without a whole number as its id', { id: 7.5 }],
  ['with its id as text', { id: '7' }],
  ['without a page id', { page: '' }],
  ['with a page id that is too long', { page: 'p'.repeat(41) }],
  ['with an unknown state', { doing: 'sleeping' }],
])('ignores a presence message %s', (_what, more) => {
  expect(readBeat({ ...beat, doing: 'looking', ...more })).toBeUndefined();
});

test('an unreadable answer lists nobody as present', () => {
  expect(readPresent({ present: [{ name: 'Ada', isTyping: true }] })).toEqual([{ name: 'Ada', isTyping: true }]);
  expect([readPresent(undefined), readPresent({ present: 'Ada' })]).toEqual([[], []]);
});

test('one lost heartbeat removes nobody', () => {
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

test('reads an unpaged list once, and a paged one until a page brings nothing new', async () => {
  expect(await asked(false, [[{ id: 1 }]])).toEqual({ paths: ['/api/list'], ids: [1] });
  expect(await asked(true, [[{ id: 1 }], [{ id: 2 }], []])).toEqual({
    paths: ['/api/list?page=1', '/api/list?page=2', '/api/list?page=3'],
    ids: [1, 2],
  });
});

test('a server that ignores the page number is not asked a third time', async () => {
  expect(await asked(true, [[{ id: 1 }]])).toEqual({ paths: ['/api/list?page=1', '/api/list?page=2'], ids: [1] });
});
