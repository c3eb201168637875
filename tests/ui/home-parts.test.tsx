import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ActivityEntry } from '../../src/domain/activity.ts';
import type { OutboxEntry } from '../../src/domain/outbox/vocabulary.ts';
import { Activity } from '../../src/features/home/activity-card.tsx';
import { KeepHint } from '../../src/features/home/keep-hint.tsx';
import { QueueCard } from '../../src/features/home/queue-card.tsx';
import { QuickActions } from '../../src/features/home/quick-actions.tsx';
import { RecentWork } from '../../src/features/home/recent-card.tsx';
import type { QueueState } from '../../src/offline/outbox/queries.ts';
import { usePanel } from '../../src/stores/panels.ts';
import { useServerAbilities } from '../../src/stores/server-abilities.ts';
import { useSession } from '../../src/stores/session.ts';
import { IMAGE_TYPES } from '../../src/domain/fields.ts';
import { colour } from '../../src/ui/tokens.ts';
import { creating, deleting, editing, entryOf, partner } from '../domain/outbox/samples.ts';
import { soon } from '../harness/soon.ts';
import { NADIA, press, show, told } from './open-screen.tsx';

const device = vi.hoisted(() => ({
  entries: [] as unknown[],
  receipts: [] as unknown[],
  activity: [] as unknown[],
  stopped: 0,
  persistence: vi.fn<() => Promise<string>>(),
  ask: vi.fn<() => Promise<string>>(),
  share: vi.fn<(photos: readonly File[]) => Promise<void>>(),
}));
vi.mock('../../src/api/live.ts', () => ({ useEntries: () => device.entries, useReceipts: () => device.receipts }));
vi.mock('../../src/api/self-check.ts', () => ({
  readPersistence: device.persistence,
  askPersistence: device.ask,
  sendsWhenClosed: () => true,
}));
vi.mock('../../src/api/activity.ts', () => ({
  followActivity: (tell: (entries: unknown) => void) => {
    tell(device.activity);
    return () => {
      device.stopped += 1;
    };
  },
}));
vi.mock('../../src/api/drafts.ts', () => ({ drafts: { share: device.share } }));
vi.mock('../../src/api/reads.ts', () => ({ useListedRow: () => undefined }));

const NOW = new Date(2026, 10, 20, 12).getTime();
const HOUR = 3_600_000;

beforeEach(() => {
  Object.assign(device, { entries: [], receipts: [], activity: [], stopped: 0 });
  device.persistence.mockResolvedValue('refused');
  device.ask.mockResolvedValue('refused');
  device.share.mockResolvedValue();
});
afterEach(() => useServerAbilities.setState({}, true));

const queueOf = (more: Partial<QueueState>) =>
  ({ waiting: 0, needAttention: 0, otherAdministratorsWaiting: 0, forWifi: 0, ...more }) as QueueState;
const refused = { state: 'attention', reason: { code: 'refused', message: 'No.' } } as const;
const hrefs = () => screen.getAllByRole('link').map((link) => link.getAttribute('href'));

test('links waiting changes to their record, and those that need attention to where they are settled', () => {
  const conflict = { theirs: { values: partner('Theirs'), imageIds: [] }, foundAt: NOW };
  device.entries = [
    entryOf(creating('local-1'), { title: 'New one' }),
    entryOf(editing('8', partner('A'), partner('B')), { ...refused, id: 'c', title: 'Twice', conflict }),
    entryOf(editing('7', partner('A'), partner('B')), { ...refused, title: 'Refused' }),
    entryOf(deleting('6'), { ...refused, title: 'Deleted' }),
  ];
  show(<QueueCard queue={queueOf({ waiting: 4, needAttention: 3 })} />);
  expect(hrefs()).toEqual(['/outbox', '/outbox/conflict/c', '/partner-edit/7', '/outbox', '/partner-edit/local-1']);
  expect(screen.getByText('3 changes need your attention')).toBeDefined();
  expect(screen.getByText(/1 more change waits to be sent\./)).toBeDefined();
  const items = screen.getAllByRole('listitem').map((item) => [item.textContent, item.dataset['needs']]);
  expect(items.at(-1)).toEqual(['New oneNew partner', undefined]);
  expect(items[0]).toEqual(['TwiceEdit partner', 'true']);
});

test('names a single change and says that it is safe', () => {
  device.entries = [entryOf(creating('local-1'), { title: 'New one' })];
  show(<QueueCard queue={queueOf({ waiting: 1 })} />);
  expect(screen.getByText('1 change waits to be sent')).toBeDefined();
  expect(screen.getByText('Safe on this device until then.')).toBeDefined();
  expect(screen.getByRole('link', { name: 'New one' })).toBeDefined();
  expect(screen.queryByText(/^and /)).toBeNull();
});

test('links a pending deletion to its record', () => {
  device.entries = [entryOf(deleting('6'), { title: 'Going' })];
  show(<QueueCard queue={queueOf({ waiting: 1 })} />);
  expect(hrefs()).toEqual(['/outbox', '/partner-edit/6']);
});

test('names each of four changes', () => {
  device.entries = ['1', '2', '3', '4'].map((id) => entryOf(deleting(id), { title: id }));
  show(<QueueCard queue={queueOf({ waiting: 4 })} />);
  expect(screen.getAllByRole('listitem')).toHaveLength(4);
});

test.each<[string, Partial<QueueState>, string, string]>([
  ['something needs attention', { waiting: 1, needAttention: 1 }, colour.bad, 'ErrorOutlinedIcon'],
  ['something waits', { waiting: 1 }, colour.info, 'CloudUploadOutlinedIcon'],
  ['all was sent', {}, colour.good, 'CloudDoneOutlinedIcon'],
  ['waiting changes were discarded', { lossNoticedAt: NOW }, colour.info, 'CloudDoneOutlinedIcon'],
])('shows colour and icon when %s', (_, queue, tone, icon) => {
  show(<QueueCard queue={queueOf(queue)} />);
  const sign = screen.getByTestId(icon);
  expect(sign.closest('section')?.style.getPropertyValue('--tone')).toBe(tone);
});

test('mentions other administrators’ changes next to those that need attention', () => {
  show(<QueueCard queue={queueOf({ waiting: 1, needAttention: 1, otherAdministratorsWaiting: 2 })} />);
  const words = 'Nothing is lost. The Outbox shows why. 2 changes of other administrators wait here too.';
  expect(screen.getByText(words)).toBeDefined();
});

test('shows the storage hint while changes wait', async () => {
  const hint = () => screen.queryByText('This browser may delete what is saved here');
  const { rerender } = render(<KeepHint waiting={0} />);
  rerender(<KeepHint waiting={1} />);
  await soon(() => expect(hint()).not.toBeNull());
  rerender(<KeepHint waiting={0} />);
  expect(hint()).toBeNull();
});

test('shows no hint when the browser does not report persistence', async () => {
  const warned = vi.spyOn(console, 'warn').mockReturnValue();
  device.persistence.mockRejectedValue(new Error('locked'));
  render(<KeepHint waiting={1} />);
  await soon(() => expect(warned).toHaveBeenCalledOnce());
  expect(screen.queryByText('This browser may delete what is saved here')).toBeNull();
});

test('lets persistent storage be requested once', async () => {
  show(<KeepHint waiting={2} />);
  expect(await screen.findByText(/^If the device runs low on storage/)).toBeDefined();
  await press('Keep my changes');
  expect(await screen.findByText(/^The browser declined\./)).toBeDefined();
  expect(screen.queryByRole('button')).toBeNull();
});

test('hides the hint once persistent storage is granted', async () => {
  device.ask.mockResolvedValue('granted');
  show(<KeepHint waiting={2} />);
  await press('Keep my changes');
  await soon(() => expect(screen.queryByText('This browser may delete what is saved here')).toBeNull());
});

test('shows no hint when nothing waits, storage is persistent, or persistence cannot be requested', async () => {
  show(<KeepHint waiting={0} />).unmount();
  expect(device.persistence).not.toHaveBeenCalled();
  for (const persistence of ['granted', 'unknown']) {
    device.persistence.mockResolvedValue(persistence);
    const { unmount } = show(<KeepHint waiting={2} />);
    await act(async () => {});
    expect(screen.queryByText('This browser may delete what is saved here')).toBeNull();
    unmount();
  }
});

const done = (entry: OutboxEntry['change'], at: number, more: object = {}) =>
  entryOf(entry, { title: 'Acme', state: 'done', receipt: { at, message: '' }, ...more });

test('links the last existing record, and opens the panels', async () => {
  device.receipts = [done(deleting('5'), NOW), done(editing('7', {}, {}), NOW, { title: 'Bolt' })];
  show(<QuickActions />);
  const last = screen.getByRole('link', { name: 'Last edited: Bolt' });
  expect([last.getAttribute('href'), last.title]).toEqual(['/partner-edit/7', 'Bolt']);
  const row = screen.getByRole('region', { name: 'Quick actions' });
  expect([...row.children].map(({ textContent }) => textContent)).toEqual([
    'New with photo',
    'Last edited: Bolt',
    'Find a record',
    'Scan a code',
  ]);
  await press('Find a record');
  expect(usePanel.getState().open).toBe('find');
  await press('Scan a code');
  expect(usePanel.getState().open).toBe('scan');
});

test('does not link to a record that was deleted after it was edited', () => {
  device.receipts = [
    done(deleting('7'), NOW),
    done(editing('7', {}, {}), NOW - 1000),
    done(editing('8', {}, {}), NOW - HOUR),
  ];
  show(<QuickActions />);
  expect(hrefs()).toEqual(['/partner-edit/8']);
  cleanup();
  show(<RecentWork now={NOW} />);
  expect(hrefs()).toEqual(['/partner-edit/8']);
});

test('offers the record edited last', () => {
  device.receipts = [done(editing('7', {}, {}), NOW), done(editing('8', {}, {}), NOW - HOUR)];
  show(<QuickActions />);
  expect(hrefs()).toEqual(['/partner-edit/7']);
});

test('accepts several pictures, only pictures, and the same one again', () => {
  const emptied = vi.spyOn(HTMLInputElement.prototype, 'value', 'set');
  show(<QuickActions />);
  const input = screen.getByLabelText<HTMLInputElement>('New with photo');
  expect([input.multiple, input.accept]).toEqual([true, IMAGE_TYPES.join()]);
  fireEvent.change(input, { target: { files: [new File(['GIF8'], 'roof.gif', { type: 'image/gif' })] } });
  expect(emptied).toHaveBeenCalledWith('');
});

test('stores photos first, then asks what they are for', async () => {
  show(<QuickActions />);
  const input = screen.getByLabelText<HTMLInputElement>('New with photo');
  const photo = new File(['GIF8'], 'roof.gif', { type: 'image/gif' });
  fireEvent.change(input, { target: { files: [] } });
  expect(device.share).not.toHaveBeenCalled();
  fireEvent.change(input, { target: { files: [photo] } });
  expect(await screen.findByText(/^went to \/share/)).toBeDefined();
  expect(device.share).toHaveBeenCalledExactlyOnceWith([photo]);
});

test('reports photos that could not be stored, and stays on the page', async () => {
  vi.spyOn(console, 'error').mockReturnValue();
  device.share.mockRejectedValue(new Error('locked'));
  show(<QuickActions />);
  const files = [new File(['GIF8'], 'roof.gif', { type: 'image/gif' })];
  fireEvent.change(screen.getByLabelText('New with photo'), { target: { files } });
  await told('error: This device’s storage isn’t responding. The photos couldn’t be stored. Try again. (locked)');
  expect(screen.queryByText(/^went to/)).toBeNull();
});

test('offers a viewer no photo, and nobody a last record without receipts', () => {
  useSession.setState({ user: { ...NADIA, role: 'viewer' } });
  show(<QuickActions />);
  expect(screen.queryByLabelText('New with photo')).toBeNull();
  expect(screen.queryByRole('link')).toBeNull();
});

test('lists the last four records once each, and counts today’s changes by kind', () => {
  const edits = ['1', '2', '3', '4', '5'].map((id, at) => done(editing(id, {}, {}), NOW - at * HOUR));
  const [first] = edits;
  device.receipts = [
    first,
    first,
    ...edits,
    done(creating('local-1'), NOW - HOUR),
    done(deleting('9'), NOW - 30 * HOUR),
  ];
  show(<RecentWork now={NOW} />);
  expect(hrefs()).toEqual(['1', '2', '3', '4'].map((id) => `/partner-edit/${id}`));
  expect(screen.getByText('8 changes sent today: 7 updated, 1 created')).toBeDefined();
});

test('shows the latest change of each record', () => {
  device.receipts = [done(editing('1', {}, {}), NOW - HOUR), done(editing('1', {}, {}), NOW - 30 * HOUR)];
  show(<RecentWork now={NOW} />);
  expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent?.includes('yesterday'))).toEqual([false]);
});

test('lists no kinds for a single kind, and no count without changes today', () => {
  device.receipts = [done(editing('1', {}, {}), NOW - HOUR)];
  const { unmount } = show(<RecentWork now={NOW} />);
  expect(screen.getByText('1 change sent today')).toBeDefined();
  unmount();
  device.receipts = [done(editing('1', {}, {}), NOW - 30 * HOUR)];
  show(<RecentWork now={NOW} />);
  expect(screen.queryByText(/sent today/)).toBeNull();
  expect(screen.getByText(/^Updated partner, yesterday/)).toBeDefined();
});

test('counts today from midnight, and deletions as such', () => {
  device.receipts = [
    done(editing('1', {}, {}), NOW - HOUR),
    done(deleting('2'), NOW - 2 * HOUR),
    done(editing('3', {}, {}), NOW - 13 * HOUR),
  ];
  show(<RecentWork now={NOW} />);
  expect(screen.getByText('2 changes sent today: 1 updated, 1 deleted')).toBeDefined();
});

const happened = (id: number, more: Partial<ActivityEntry> = {}) => ({
  id,
  administrator: 'Omar Faruk',
  administratorId: 8,
  action: 'update',
  resource: 'partners',
  recordId: id,
  title: `Partner ${id}`,
  at: new Date(NOW - HOUR).toISOString(),
  isGone: false,
  ...more,
});

test('links recent activity to the records, without the user’s changes from this device', () => {
  useServerAbilities.setState({ activity: true });
  device.receipts = [done(editing('3', {}, {}), NOW)];
  device.activity = [
    happened(1),
    happened(2, { action: 'delete', isGone: true }),
    happened(3, { administratorId: 7, administrator: 'Nadia Rahman' }),
    // deleted since
    happened(3, { isGone: true }),
    happened(4, { administratorId: 7, administrator: 'Nadia Rahman', action: 'create' }),
    ...[5, 6, 7].map((id) => happened(id, { action: 'delete-image' })),
  ];
  const { unmount } = show(<Activity now={NOW} />);
  const lines = within(screen.getByRole('region', { name: 'Recent activity' })).getAllByRole('listitem');
  expect(lines.map((line) => line.querySelector('.what')?.textContent)).toEqual([
    'Omar Faruk updated Partner 1',
    'Omar Faruk deleted Partner 2',
    'Omar Faruk updated Partner 3',
    'You created Partner 4',
    'Omar Faruk removed an image from Partner 5',
    'Omar Faruk removed an image from Partner 6',
  ]);
  for (const gone of [1, 2]) expect(within(lines[gone] ?? document.body).queryByRole('link')).toBeNull();
  expect(
    within(lines[0] ?? document.body)
      .getByRole('link')
      .getAttribute('href'),
  ).toBe('/partner-edit/1');
  unmount();
  expect(device.stopped).toBe(1);
});

test('calls the user’s changes from other devices "You", also when their time is ahead of the page’s clock', () => {
  useServerAbilities.setState({ activity: true });
  const own = { administratorId: 7, administrator: 'Nadia Rahman' };
  device.activity = [
    happened(1, { ...own, at: new Date(NOW + HOUR).toISOString() }),
    happened(2, { ...own, action: 'delete', isGone: true }),
    happened(3, { ...own, action: 'delete-image' }),
  ];
  show(<Activity now={NOW} />);
  const lines = within(screen.getByRole('region', { name: 'Recent activity' })).getAllByRole('listitem');
  expect(lines.map((line) => line.querySelector('.what')?.textContent)).toEqual([
    'You updated Partner 1',
    'You deleted Partner 2',
    'You removed an image from Partner 3',
  ]);
  const times = lines.map((line) => line.querySelector('time'));
  expect(times.map((time) => [time?.textContent, time?.title])).toEqual([
    ['13:00', new Date(NOW + HOUR).toLocaleString('en-GB')],
    ['11:00', new Date(NOW - HOUR).toLocaleString('en-GB')],
    ['11:00', new Date(NOW - HOUR).toLocaleString('en-GB')],
  ]);
  expect(lines[0]?.textContent).toMatch(/^NR/);
});

test('requests no activity before the server’s capabilities are known', () => {
  device.activity = [happened(1)];
  useServerAbilities.setState({ activity: undefined } as never);
  show(<Activity now={NOW} />);
  expect(screen.queryByText('Recent activity')).toBeNull();
});

test('shows no activity when there is none or the server has no log', () => {
  device.activity = [happened(1)];
  const { unmount } = show(<Activity now={NOW} />);
  expect(screen.queryByText('Recent activity')).toBeNull();
  unmount();
  useServerAbilities.setState({ activity: true });
  device.activity = [];
  show(<Activity now={NOW} />);
  expect(screen.queryByText('Recent activity')).toBeNull();
});
