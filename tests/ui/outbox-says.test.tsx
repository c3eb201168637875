import { act, fireEvent, screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import type { Travel } from '../../src/domain/outbox/uploads.ts';
import { ENTRY_SCHEMA, type OutboxEntry } from '../../src/domain/outbox/vocabulary.ts';
import type { QueueState } from '../../src/offline/outbox/queries.ts';
import { useConnection } from '../../src/stores/connection.ts';
import { creating, deleting, editing, entryOf, fileOf, NOW, partner } from '../domain/outbox/samples.ts';
import { soon } from '../harness/soon.ts';
import { becomes, cards, offered, openOutbox, outbox, photos, press, toasts } from './open-outbox.tsx';

/** What the outbox says of rare changes, and when it says nothing. */

const MB = 1_000_000;
const HOUR = 3_600_000;
const refusal = { state: 'attention', reason: { code: 'refused', message: 'No.' } } as const;
const icon = (card: HTMLElement | undefined) => card?.querySelector<SVGElement>('.entry-icon')?.dataset['testid'];
const withVideo = (more: object = {}) =>
  entryOf(
    { ...creating(), files: [{ ...fileOf('roof', 'image', 3 * MB), sha256: 'hash' }] } as OutboxEntry['change'],
    more,
  );
const travelOf = (upload: object, more: Partial<Travel> = {}): Travel => ({
  uploads: new Map([
    ['hash', { sha256: 'hash', size: 3 * MB, offset: 0, failures: 0, restarts: 0, triedAt: NOW, ...upload }],
  ]),
  fromBytes: 256_000,
  ...more,
});

test('shows different icons for waiting, sending and attention', () => {
  openOutbox([
    entryOf(deleting('7'), refusal),
    entryOf(creating(), { state: 'sending', attempts: 1, delivery: ['attempt'] }),
    entryOf(creating('local-2')),
  ]);
  expect(cards().map(icon)).toEqual(['ErrorOutlinedIcon', 'CloudUploadOutlinedIcon', 'ScheduleOutlinedIcon']);
});

test('offers Resume for a paused file that also waits for Wi-Fi', () => {
  openOutbox([withVideo()], { travel: travelOf({ halted: true }, { wifiOver: MB, metered: true }) });
  expect(cards().map(offered)).toEqual([['Edit', 'Send now anyway', 'Resume', 'Discard']]);
});

test('offers no Edit for the refused deletion of an image', () => {
  const drop = { op: 'delete-image', resource: 'projects', recordId: '7', imageId: 1, image: 'x.png' } as const;
  openOutbox([entryOf(drop, refusal)]);
  expect(cards().map(offered)).toEqual([['Retry', 'Discard']]);
  expect(cards()[0]?.textContent).toContain('Delete image of project');
});

test('names the site settings and shows no picture for them', () => {
  photos.set(1, { photo: 'other.png' });
  const base = { values: { title: 'Old' }, imageIds: [] };
  const change = { op: 'update', resource: 'site-meta', recordId: '1', values: { title: 'New' }, files: [], base };
  openOutbox([entryOf(change as unknown as OutboxEntry['change'], { title: 'Site meta' })]);
  const [card] = cards();
  expect(card?.querySelector('.entry-facets')?.textContent).toMatch(/^Edit site meta/);
  expect(card?.querySelector('img')).toBeNull();
  expect(
    within(card ?? document.body)
      .getByRole('link', { name: 'Site meta' })
      .getAttribute('href'),
  ).toBe('/sete-meta-update');
});

test.each([
  ['an edit', { op: 'update', values: { height: '8 m' }, base: { values: { height: '9 m' }, imageIds: [] } }],
  ['a new record', { op: 'create', values: { height: '8 m' } }],
])('shows %s of an unknown kind from a newer version without breaking', (_, change) => {
  const unknown = { resource: 'wind-turbines', recordId: '7', files: [], ...change };
  photos.set(7, { photo: 'other.png' });
  const newer = { schema: ENTRY_SCHEMA + 1, title: 'Newer' };
  openOutbox([entryOf(unknown as unknown as OutboxEntry['change'], newer), entryOf(deleting('8'))]);
  const [card, other] = cards();
  expect(card?.querySelector('.entry-state')?.textContent).toMatch(/^Waiting for an app update/);
  expect(card?.querySelector('img')).toBeNull();
  expect(offered(card ?? document.body)).toEqual(['Discard']);
  expect(other?.textContent).toContain('Delete partner');
});

test('shows three changed fields and counts the rest', () => {
  const fields = ['brand', 'capacity', 'generator_model', 'engine_model', 'origin'];
  const texts = (count: number, text: string) =>
    Object.fromEntries(fields.map((field, place) => [field, place < count ? text : 'Same']));
  const edit = (count: number) => {
    const change = { ...editing('7', texts(0, ''), texts(count, 'New')), resource: 'generators' };
    return entryOf(change as OutboxEntry['change']);
  };
  openOutbox([edit(3), edit(4), edit(5)]);
  const lists = screen.getAllByRole('list', { name: 'What changed' });
  expect(lists.map((list) => list.children.length)).toEqual([3, 4, 4]);
  expect(lists.map((list) => list.lastElementChild?.textContent)).toEqual([
    'Generator model Same → New',
    'and 1 more field',
    'and 2 more fields',
  ]);
});

test('Discard all counts hidden changes too', async () => {
  openOutbox(Array.from({ length: 70 }, (_, place) => entryOf(deleting('7'), { title: `Change ${place}` })));
  await press('Discard all');
  const dialog = await screen.findByRole('alertdialog', { name: 'Discard 70 changes?' });
  fireEvent.click(within(dialog).getByRole('button', { name: 'Cancel' }));
  await soon(() => expect(screen.queryByRole('alertdialog')).toBeNull());
});

test('every button reports that nothing was done when the storage fails', async () => {
  vi.spyOn(console, 'error').mockReturnValue();
  const fail = (work: (...args: never[]) => Promise<unknown>) =>
    vi.mocked(work as () => Promise<unknown>).mockRejectedValue(new Error('locked'));
  const words = (standing: string) => `error: This device’s storage isn’t responding. ${standing} Try again. (locked)`;
  fail(outbox.discardAll);
  fail(outbox.sendOverAnyLink);
  fail(outbox.exportQueue);
  openOutbox([withVideo(), entryOf(deleting('8'))], { travel: travelOf({}, { wifiOver: MB, metered: true }) });
  await press('Send now anyway');
  await soon(() => expect(toasts()).toEqual([words('Nothing was sent.')]));
  await press('Export');
  await soon(() => expect(toasts()).toEqual([words('Nothing was exported.')]));
  await press('Discard all');
  const dialog = within(await screen.findByRole('alertdialog'));
  fireEvent.click(dialog.getByRole('button', { name: 'Discard all' }));
  await soon(() => expect(toasts()).toEqual([words('Nothing was discarded.')]));
});

const stuck = () =>
  screen.queryByText('These changes should be sending, but nothing has gone out for a while.') !== null;

/** Whether a queue with an hour-old change is called stuck. */
function standsStill(queue: Partial<QueueState>, entry = entryOf(deleting('7'), { createdAt: NOW - HOUR })): boolean {
  openOutbox([entry], { signedInAs: '1', lastAttemptAt: NOW - HOUR, ...queue });
  return stuck();
}

test('calls a queue stuck only while online', () => {
  useConnection.setState({ radio: false, answers: false });
  expect(standsStill({})).toBe(false);
  act(() => useConnection.setState({ radio: true, answers: true }));
  expect(stuck()).toBe(true);
});

test.each<[string, Partial<QueueState>, OutboxEntry?]>([
  ['an attempt was made just now', { lastAttemptAt: NOW - 1000 }],
  ['a pause is not over yet', { pause: { cause: 'busy', since: NOW - HOUR, failures: 1, until: NOW + 60_000 } }],
  ['its file is paused', { travel: travelOf({ halted: true }) }, withVideo({ createdAt: NOW - HOUR })],
  ['somebody else is signed in where it is sent', { signedInAs: '2' }],
  ['nobody is signed in where it is sent', { signedInAs: undefined } as never],
])('does not call a queue stuck when %s', (_, queue, entry) => {
  expect(standsStill(queue, entry)).toBe(false);
});

test('the storage loss is reported above the changes that are still here', () => {
  openOutbox([entryOf(deleting('7'))], { waiting: 1, lossNoticedAt: NOW });
  const notice = screen.getByText('This browser has deleted what was saved on this device.');
  const [card] = cards();
  expect(notice.compareDocumentPosition(card ?? notice)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
});

test.each<[string, Partial<QueueState>]>([
  ['behind a network’s sign-in page', { pause: { cause: 'unreachable', since: NOW, failures: 1, portal: true } }],
  ['that is stuck', { signedInAs: '1', lastAttemptAt: NOW - HOUR }],
])('a retry of a queue %s reports when the storage fails', async (_, queue) => {
  vi.spyOn(console, 'error').mockReturnValue();
  vi.mocked(outbox.sendNow).mockRejectedValue(new Error('locked'));
  openOutbox([entryOf(deleting('7'), { createdAt: NOW - HOUR })], queue);
  await press('Retry');
  const words = 'error: This device’s storage isn’t responding. Nothing was sent. Try again. (locked)';
  await soon(() => expect(toasts()).toEqual([words]));
});

test('hides the file input behind Import', () => {
  openOutbox([]);
  expect(screen.getByLabelText<HTMLInputElement>('Queue file').hidden).toBe(true);
});

test('counts the changes of several other administrators together', () => {
  openOutbox([], { otherAdministratorsWaiting: 3 });
  expect(document.querySelector('.outbox-others')?.textContent).toBe(
    '3 changes of other administrators wait on this device until they sign in.',
  );
});

test('shows no progress for a small queue', () => {
  openOutbox([entryOf(creating())], { progress: { sent: 0, total: 400_000 } });
  expect(document.querySelector('.outbox-progress')).toBeNull();
  becomes([entryOf(editing('7', partner('A'), partner('B')))]);
  expect(document.querySelector('.outbox-progress')).toBeNull();
});

test('leaves a change of a kind that only a newer version knows alone, and says so', () => {
  const change = { ...creating(), resource: 'batteries' } as never;
  openOutbox([
    entryOf(change),
    entryOf(change, refusal),
    entryOf(change, {
      state: 'attention',
      reason: refusal.reason,
      conflict: { theirs: { values: {}, imageIds: [] }, foundAt: NOW },
    }),
  ]);
  expect(cards()).toHaveLength(3);
  for (const card of cards()) expect(card.textContent).toContain('Waiting for an app update');
});
