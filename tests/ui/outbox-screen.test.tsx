import { act, cleanup, fireEvent, screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import type { Travel } from '../../src/domain/outbox/uploads.ts';
import type { OutboxEntry } from '../../src/domain/outbox/vocabulary.ts';
import { QueueFileError } from '../../src/offline/storage/errors.ts';
import { useConnection } from '../../src/stores/connection.ts';
import { useSession } from '../../src/stores/session.ts';
import { creating, deleting, entryOf, fileOf, NOW } from '../domain/outbox/samples.ts';
import { soon } from '../harness/soon.ts';
import { becomes, cards, openOutbox, outbox, photos, press, toasts } from './open-outbox.tsx';

const MB = 1_000_000;
const WAITING = { pause: undefined, since: NOW - 1000 };
const refused = (title: string) =>
  entryOf(deleting('7'), { title, state: 'attention', reason: { code: 'refused', message: 'No.' } });
const titled = (title: string, more = {}) => entryOf(deleting('7'), { title, ...more });
const withVideo = (sha256: string) =>
  entryOf({ ...creating(), files: [{ ...fileOf('roof', 'image', 3 * MB), sha256 }] } as OutboxEntry['change']);
const upload = (sha256: string, more: object) =>
  [sha256, { sha256, size: 3 * MB, offset: 0, failures: 0, restarts: 0, triedAt: NOW, ...more }] as const;

const titles = (region: HTMLElement) => [...region.querySelectorAll('h3')].map(({ textContent }) => textContent);
const sendNow = () => screen.queryByRole('button', { name: 'Send now' });

test('an empty outbox says that all changes are sent, and offers only Import', () => {
  openOutbox([]);
  expect(screen.getByText('All changes sent')).toBeDefined();
  expect(screen.getByText('Changes saved here and not on the server yet')).toBeDefined();
  expect(screen.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['Import']);
  expect(document.title).toBe('Outbox · Voltdesk');
});

test('claims nothing before the queue is loaded', () => {
  openOutbox(undefined, undefined);
  expect(screen.queryByText('All changes sent')).toBeNull();
  expect(screen.queryByRole('button', { name: 'Export' })).toBeNull();
});

test('calls nothing sent that was lost', () => {
  openOutbox([], { lossNoticedAt: NOW });
  expect(screen.getByText('This browser has deleted what was saved on this device.')).toBeDefined();
  expect(screen.queryByText('All changes sent')).toBeNull();
  expect(screen.getByText('Nothing waiting on this device')).toBeDefined();
});

test('lists changes that need attention first, each part in order, with the total below the heading', () => {
  openOutbox([titled('One'), refused('Two'), titled('Three'), refused('Four')]);
  const attention = screen.getByRole('region', { name: 'Needs your attention' });
  const waiting = screen.getByRole('region', { name: 'Waiting on this device' });
  expect(titles(attention)).toEqual(['Two', 'Four']);
  expect(titles(waiting)).toEqual(['One', 'Three']);
  expect(cards().map((card) => card.querySelector('h3')?.textContent)).toEqual(['Two', 'Four', 'One', 'Three']);
  expect(screen.getByText('4 changes on this device')).toBeDefined();
  becomes([titled('One')]);
  expect(screen.queryByRole('region', { name: 'Needs your attention' })).toBeNull();
  expect(screen.getByText('1 change on this device')).toBeDefined();
});

test('shows sixty changes, those that need attention among them, and the rest on request', async () => {
  const many = Array.from({ length: 70 }, (_, place) => titled(`Change ${place}`));
  openOutbox([...many, refused('Last')]);
  expect(cards()).toHaveLength(60);
  expect(cards()[0]?.querySelector('h3')?.textContent).toBe('Last');
  await press('Show 11 more changes');
  expect(cards()).toHaveLength(71);
  expect(screen.queryByRole('button', { name: /^Show/ })).toBeNull();
});

test('Send now is the primary action online, sends, and reports a failure', async () => {
  vi.spyOn(console, 'error').mockReturnValue();
  openOutbox([titled('One')]);
  expect(sendNow()?.className).toContain('contained');
  await press('Send now');
  expect(outbox.sendNow).toHaveBeenCalledOnce();
  expect(toasts()).toEqual([]);
  vi.mocked(outbox.sendNow).mockRejectedValue(new Error('locked'));
  await press('Send now');
  const words = 'error: This device’s storage isn’t responding. Nothing was sent. Try again. (locked)';
  await soon(() => expect(toasts()).toEqual([words]));
});

test('Send now is a secondary action offline', () => {
  useConnection.setState({ answers: false });
  openOutbox([titled('One')]);
  expect(sendNow()?.className).toContain('outlined');
});

test('Send now is hidden when every change is refused, paused or waits for Wi-Fi', () => {
  const travel: Travel = {
    uploads: new Map([upload('paused', { halted: true }), upload('wifi', {})]),
    fromBytes: 256_000,
    wifiOver: 2 * MB,
    metered: true,
  };
  const [paused, forWifi] = [withVideo('paused'), withVideo('wifi')];
  openOutbox([refused('One'), paused, forWifi], { travel });
  expect(sendNow()).toBeNull();
  becomes([refused('One'), paused, forWifi, titled('Goes')]);
  expect(sendNow()).not.toBeNull();
});

test('Send now is hidden for a paused change that waits for no Wi-Fi', () => {
  const travel: Travel = { uploads: new Map([upload('paused', { halted: true })]), fromBytes: 256_000 };
  openOutbox([withVideo('paused')], { travel });
  expect(sendNow()).toBeNull();
  becomes([withVideo('paused'), withVideo('goes')]);
  expect(sendNow()).not.toBeNull();
});

test('shows the bytes sent, paused and waiting for Wi-Fi', () => {
  const travel: Travel = {
    uploads: new Map([upload('paused', { halted: true, offset: MB }), upload('wifi', {})]),
    fromBytes: 256_000,
    wifiOver: 2 * MB,
    metered: true,
  };
  const progress = () => document.querySelector('.outbox-progress')?.textContent;
  openOutbox([withVideo('paused'), withVideo('wifi')], { travel, progress: { sent: MB, total: 9 * MB } });
  expect(progress()).toBe('1.0 MB of 9.0 MB sent · 2.0 MB paused · 3.0 MB waiting for Wi-Fi');
  cleanup();
  openOutbox([withVideo('paused'), withVideo('wifi')], { travel, progress: { sent: 4 * MB, total: 9 * MB } });
  expect(progress()).toBe('2.0 MB paused · 3.0 MB waiting for Wi-Fi');
});

test('Discard all asks with the count, and discards the changes of the signed-in administrator', async () => {
  openOutbox([titled('One'), titled('Two')]);
  await press('Discard all');
  const dialog = await screen.findByRole('alertdialog', { name: 'Discard 2 changes?' });
  expect(dialog.textContent).toContain(
    'They will not be sent, and what you entered is gone for good. What has reached the server already stays there. Export them first if you’re not sure.',
  );
  fireEvent.click(within(dialog).getByRole('button', { name: 'Cancel' }));
  await soon(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  await act(async () => {});
  expect(outbox.discardAll).not.toHaveBeenCalled();
  await press('Discard all');
  const again = await screen.findByRole('alertdialog');
  fireEvent.click(within(again).getByRole('button', { name: 'Discard all' }));
  await soon(() => expect(outbox.discardAll).toHaveBeenCalledExactlyOnceWith('1'));
});

test('a single change has no Discard all', () => {
  openOutbox([titled('One')]);
  expect(screen.queryByRole('button', { name: 'Discard all' })).toBeNull();
});

test('reports an ended session while changes wait, and opens the sign-in', async () => {
  openOutbox([titled('One')], { pause: { cause: 'signed-out', since: NOW, failures: 1 } });
  expect(screen.getByText('Your session has ended.')).toBeDefined();
  expect(cards()[0]?.textContent).toContain('Waiting for you to sign in – Will be sent as soon as you sign in.');
  const before = useSession.getState();
  await press('Sign in');
  expect(useSession.getState()).not.toEqual(before);
  becomes([refused('One')], {});
  expect(screen.queryByText('Your session has ended.')).toBeNull();
});

test('explains a captive portal while changes wait', async () => {
  openOutbox([titled('One')], { pause: { cause: 'unreachable', since: NOW, failures: 1, portal: true } });
  expect(screen.getByText('This Wi-Fi needs a sign-in.')).toBeDefined();
  expect(screen.getByText(/^Open any other website in this browser/)).toBeDefined();
  await press('Retry');
  expect(outbox.sendNow).toHaveBeenCalledOnce();
  becomes([refused('One')], {});
  expect(screen.queryByText('This Wi-Fi needs a sign-in.')).toBeNull();
});

test('reports a stuck queue, and not a new change', async () => {
  const old = titled('One', { createdAt: NOW - 3_600_000 });
  const stuck = () => screen.queryByText('These changes should be sending, but nothing has gone out for a while.');
  openOutbox([old], { ...WAITING, signedInAs: '1', lastAttemptAt: NOW - 3_600_000 } as never);
  expect(stuck()).not.toBeNull();
  await press('Retry');
  expect(outbox.sendNow).toHaveBeenCalledOnce();
  becomes([titled('New', { createdAt: NOW - 1000 })]);
  expect(stuck()).toBeNull();
});

test('counts the waiting changes of other administrators', () => {
  openOutbox([], { otherAdministratorsWaiting: 1 });
  expect(document.querySelector('.outbox-others')?.textContent).toBe(
    '1 change of other administrators waits on this device until they sign in.',
  );
});

test('mentions no other administrators when none of their changes waits', () => {
  openOutbox([], { otherAdministratorsWaiting: 0 });
  expect(document.querySelector('.outbox-others')).toBeNull();
});

test('reports deleted storage with the time until someone acknowledges it', async () => {
  vi.spyOn(console, 'error').mockReturnValue();
  const noticed = new Date(NOW - 3_600_000);
  const time = noticed.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });
  openOutbox([], { lossNoticedAt: noticed.getTime() });
  expect(screen.getByText('This browser has deleted what was saved on this device.')).toBeDefined();
  expect(screen.getByText(new RegExp(`are gone \\(noticed (yesterday )?${time}`))).toBeDefined();
  await press('I’ve checked');
  expect(outbox.acknowledgeLoss).toHaveBeenCalledOnce();
  vi.mocked(outbox.acknowledgeLoss).mockRejectedValue(new Error('locked'));
  await press('I’ve checked');
  const words = 'error: This device’s storage isn’t responding. This notice couldn’t be dismissed. Try again. (locked)';
  await soon(() => expect(toasts()).toEqual([words]));
});

test('lists receipts even when nothing waits', () => {
  const receipt = { at: NOW - 1000, message: 'Partner Deleted Successfully' };
  openOutbox([], {}, { receipts: [titled('Sent', { state: 'done', receipt })] });
  const region = screen.getByRole('region', { name: 'Arrived in the last 30 days' });
  expect(region.textContent).toContain('Deleted partner');
  expect(within(region).queryByRole('link')).toBeNull();
});

test('shows the record’s picture in a receipt, whose own bytes are gone', () => {
  photos.set(31, { photo: 'arrived.png' });
  const change = { ...creating('local-1'), files: [fileOf('logo', 'image')] } as OutboxEntry['change'];
  const receipt = { at: NOW - 1000, message: '', serverId: 31 };
  openOutbox([], {}, { receipts: [entryOf(change, { state: 'done', receipt })] });
  expect(screen.getByRole('region', { name: 'Arrived in the last 30 days' }).querySelector('img')?.src).toContain(
    'arrived.png',
  );
  expect(outbox.file).not.toHaveBeenCalled();
});

test('shows the first page of a waiting catalogue from its bytes', async () => {
  const plan = { ...fileOf('plan', 'catalog'), type: 'application/pdf' };
  openOutbox([entryOf({ ...creating(), files: [plan] } as OutboxEntry['change'])]);
  await soon(() => expect(outbox.file).toHaveBeenCalledExactlyOnceWith(plan));
});

test('moves the focus of a removed card to the one in its place', async () => {
  const [one, two] = [titled('One', { attempts: 1 }), titled('Two', { attempts: 1 })];
  openOutbox([one, two]);
  act(() =>
    within(cards()[0] ?? document.body)
      .getByRole('button', { name: 'Discard' })
      .focus(),
  );
  becomes([two]);
  await soon(() => expect(cards()[0]?.contains(document.activeElement)).toBe(true));
});

test('shows no receipts section without receipts', () => {
  openOutbox([titled('One')]);
  expect(screen.queryByText('Arrived in the last 30 days')).toBeNull();
});

test('exports the signed-in administrator’s queue under the date', async () => {
  const [names, clicked] = [[] as string[], vi.spyOn(HTMLAnchorElement.prototype, 'click')];
  clicked.mockImplementation(function note(this: HTMLAnchorElement) {
    names.push(this.download);
  });
  URL.createObjectURL = () => 'blob:queue';
  URL.revokeObjectURL = () => undefined;
  vi.mocked(outbox.exportQueue).mockResolvedValue(new Blob(['queue']));
  openOutbox([titled('One')]);
  await press('Export');
  await soon(() => expect(names).toEqual(['outbox-2026-11-20.voltdesk']));
  expect(outbox.exportQueue).toHaveBeenCalledExactlyOnceWith('1');
  clicked.mockRestore();
});

test('Import opens the file picker', async () => {
  const opened = vi.spyOn(HTMLInputElement.prototype, 'click').mockReturnValue();
  openOutbox([]);
  await press('Import');
  expect(opened).toHaveBeenCalledOnce();
  opened.mockRestore();
});

test('updates ages while the screen is open and stops after it closes', () => {
  vi.useFakeTimers({ now: NOW, toFake: ['Date', 'setInterval', 'clearInterval'] });
  openOutbox([titled('One', { createdAt: NOW - 50_000 })]);
  const age = () => document.querySelector('.entry-facets time')?.textContent;
  expect(age()).toBe('just now');
  act(() => void vi.advanceTimersByTime(15_000));
  expect(age()).toBe('1 min ago');
  act(() => void vi.advanceTimersByTime(60_000));
  expect(age()).toBe('2 min ago');
  cleanup();
  expect(vi.getTimerCount()).toBe(0);
});

/** Picks a queue file. */
function pick(): HTMLInputElement {
  const input = screen.getByLabelText<HTMLInputElement>('Queue file');
  fireEvent.change(input, { target: { files: [new File(['queue'], 'outbox.voltdesk')] } });
  return input;
}

test('reports how many changes were imported and how many were already here', async () => {
  openOutbox([]);
  vi.mocked(outbox.importQueue).mockResolvedValue({ added: 2, known: 0 });
  pick();
  await soon(() => expect(toasts()).toEqual(['done: 2 changes imported.']));
  vi.mocked(outbox.importQueue).mockResolvedValue({ added: 0, known: 1 });
  pick();
  await soon(() => expect(toasts()).toEqual(['done: 0 changes imported. 1 change was here already.']));
  vi.mocked(outbox.importQueue).mockResolvedValue({ added: 1, known: 3 });
  pick();
  await soon(() => expect(toasts()).toEqual(['done: 1 change imported. 3 changes were here already.']));
});

test('lets the same queue file be picked again, and shows why one is rejected', async () => {
  const emptied = vi.spyOn(HTMLInputElement.prototype, 'value', 'set');
  openOutbox([]);
  vi.mocked(outbox.importQueue).mockRejectedValue(new QueueFileError('This is no queue file.'));
  pick();
  expect(emptied).toHaveBeenCalledWith('');
  await soon(() => expect(toasts()).toEqual(['error: This is no queue file.']));
  emptied.mockRestore();
});

test('reports that nothing was imported when the storage fails', async () => {
  vi.spyOn(console, 'error').mockReturnValue();
  openOutbox([]);
  vi.mocked(outbox.importQueue).mockRejectedValue(new Error('locked'));
  pick();
  const words = 'error: This device’s storage isn’t responding. Nothing imported. Try again. (locked)';
  await soon(() => expect(toasts()).toEqual([words]));
});
