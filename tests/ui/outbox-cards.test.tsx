import { fireEvent, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import type { Travel } from '../../src/domain/outbox/uploads.ts';
import { ENTRY_SCHEMA, type OutboxEntry } from '../../src/domain/outbox/vocabulary.ts';
import { creating, deleting, editing, entryOf, fileOf, NOW, partner } from '../domain/outbox/samples.ts';
import { soon } from '../harness/soon.ts';
import { becomes, cards, offered, openOutbox, outbox, press, toasts } from './open-outbox.tsx';

const MB = 1_000_000;
const video = { ...fileOf('roof', 'image', 3 * MB), sha256: 'hash' };
const large = { ...creating('local-9', partner('Roof')), files: [video] } as OutboxEntry['change'];
const refusal = { code: 'refused', message: 'The link must be a valid URL.' } as const;

/** The first card of an outbox with this change alone. */
function cardOf(entry: OutboxEntry, travel?: Travel): HTMLElement {
  openOutbox([entry], travel && { travel });
  const [card] = cards();
  if (card === undefined) throw new Error('There is no card.');
  return card;
}

const travelOf = (upload: object, more: Partial<Travel> = {}): Travel => ({
  uploads: new Map([
    ['hash', { sha256: 'hash', size: 3 * MB, offset: 0, failures: 0, restarts: 0, triedAt: NOW, ...upload }],
  ]),
  fromBytes: 256_000,
  ...more,
});

test('shows what a change is, its files, its attempts and how long it has waited', () => {
  const files = [fileOf('one', 'image', 1_200_000), fileOf('two', 'image', 900_000)];
  const change = { ...creating('local-1', partner('Acme')), files } as OutboxEntry['change'];
  const card = cardOf(entryOf(change, { attempts: 2, createdAt: NOW - 3 * 60_000, lastAttemptAt: NOW - 1000 }));
  expect(card.querySelector('.entry-facets')?.textContent).toBe(
    'New partner\u00a0· 2 files, 2.1 MB\u00a0· tried 2 times\u00a0· 3 min ago',
  );
  expect(within(card).getByRole('link', { name: 'Acme' }).getAttribute('href')).toBe('/partner-edit/local-1');
  const time = card.querySelector('time');
  expect(time?.getAttribute('datetime')).toBe(new Date(NOW - 180_000).toISOString());
  expect(time?.title).toMatch(/^\d\d:\d\d/);
});

test('counts a single attempt as once and mentions none', () => {
  const [once, never] = [entryOf(deleting('7'), { attempts: 1 }), entryOf(deleting('8'))];
  openOutbox([once, never]);
  const [first, second] = cards();
  expect(first?.textContent).toContain('tried once');
  expect(second?.textContent).not.toContain('tried');
});

test('shows the reason and field errors of a refused change, with Edit, Retry and Discard', async () => {
  const errors = { link: ['The link must be a valid URL.', 'A second text.'], name: ['Too long.'] };
  const refused = entryOf(editing('7', partner('Acme'), partner('Acme Ltd')), {
    state: 'attention',
    reason: { ...refusal, errors },
  });
  const card = cardOf(refused);
  expect(card.dataset['tone']).toBe('attention');
  expect(card.querySelector('.entry-state')?.textContent).toBe('Refused by the server – The link must be a valid URL.');
  const [link, name] = card.querySelectorAll('.entry-errors li');
  expect([link?.textContent, name?.textContent]).toEqual(['The link must be a valid URL.', 'Too long.']);
  expect(within(card).getByRole('list', { name: 'What changed' }).textContent).toBe('Name Acme → Acme Ltd');
  expect(offered(card)).toEqual(['Edit', 'Retry', 'Discard']);
  expect(within(card).getByRole('link', { name: 'Edit' }).getAttribute('href')).toBe('/partner-edit/7');
  await press('Retry');
  expect(outbox.retry).toHaveBeenCalledExactlyOnceWith(refused.id);
});

test('offers Retry and Discard for a refused deletion, but no Edit', () => {
  const card = cardOf(entryOf(deleting('7'), { state: 'attention', reason: refusal }));
  expect(offered(card)).toEqual(['Retry', 'Discard']);
  expect(within(card).getByRole('link', { name: 'Acme' }).getAttribute('href')).toBe('/partner-edit/7');
});

test('offers Compare as the primary action of a conflict, and no Retry', () => {
  const conflict = { theirs: { values: partner('Theirs'), imageIds: [] }, foundAt: NOW };
  const reason = { code: 'conflict', message: '' } as const;
  const entry = entryOf(editing('7', partner('Acme'), partner('Mine')), { state: 'attention', reason, conflict });
  const card = cardOf(entry);
  expect(offered(card)).toEqual(['Compare', 'Discard']);
  const compare = within(card).getByRole('link', { name: 'Compare' });
  expect(compare.getAttribute('href')).toBe(`/outbox/conflict/${entry.id}`);
  expect(compare.className).toContain('contained');
});

test('allows no Edit or Discard while a change is being sent', () => {
  const card = cardOf(entryOf(creating(), { state: 'sending', attempts: 1, delivery: ['attempt'] }));
  expect(card.dataset['tone']).toBe('busy');
  expect(card.querySelector('.entry-state')?.textContent).toBe('Sending');
  expect(offered(card)).toEqual(['Discard']);
  expect(within(card).getByRole<HTMLButtonElement>('button', { name: 'Discard' }).disabled).toBe(true);
});

test('offers Send now only for changes that were tried before', async () => {
  const [fresh, tried] = [entryOf(creating('local-1')), entryOf(creating('local-2'), { attempts: 1 })];
  const asked = entryOf(creating('local-3'), { reason: { code: 'busy', message: 'Wait.' } });
  const unknown = entryOf(creating('local-4'), { delivery: ['attempt'] });
  openOutbox([fresh, tried, asked, unknown]);
  expect(cards().map(offered)).toEqual([
    ['Edit', 'Discard'],
    ['Edit', 'Send now', 'Discard'],
    ['Edit', 'Send now', 'Discard'],
    ['Edit', 'Send now', 'Discard'],
  ]);
  const [, second] = cards();
  await userEvent.click(within(second ?? document.body).getByRole('button', { name: 'Send now' }));
  expect(outbox.retry).toHaveBeenCalledExactlyOnceWith(tried.id);
});

test('undoes a deletion until it is tried, and reports when it is too late', async () => {
  const entry = entryOf(deleting('7'), { notBefore: NOW + 5000 });
  expect(offered(cardOf(entry))).toEqual(['Undo']);
  vi.mocked(outbox.undo).mockResolvedValue(true);
  await press('Undo');
  expect(outbox.undo).toHaveBeenCalledExactlyOnceWith(entry.id);
  expect(toasts()).toEqual([]);
  vi.mocked(outbox.undo).mockResolvedValue(false);
  await press('Undo');
  await soon(() => expect(toasts()).toEqual(['info: Too late to undo the deletion.']));
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  vi.mocked(outbox.undo).mockRejectedValue(new Error('The storage fails.'));
  await press('Undo');
  await soon(() => expect(toasts()).toEqual([expect.stringMatching(/^error: /)]));
  becomes([entryOf(deleting('7'), { attempts: 1 })]);
  expect(cards().map(offered)).toEqual([['Send now', 'Discard']]);
});

test('shows the progress of a large file and pauses it', async () => {
  const entry = entryOf(large);
  const card = cardOf(entry, travelOf({ offset: 1_500_000, message: 'The server is busy.' }));
  const bar = within(card).getByRole<HTMLProgressElement>('progressbar', { name: 'roof.png: 1.5 MB of 3.0 MB sent' });
  expect([bar.value, bar.max]).toEqual([1_500_000, 3 * MB]);
  expect(card.querySelector('.entry-files')?.textContent).toBe('roof.png1.5 MB of 3.0 MBThe server is busy.');
  expect(offered(card)).toEqual(['Edit', 'Pause', 'Discard']);
  await press('Pause');
  expect(outbox.haltFiles).toHaveBeenLastCalledWith(entry.id, true);
});

test('shows 0 before the first byte, and offers Resume for a paused file', async () => {
  const entry = entryOf(large);
  const card = cardOf(entry, travelOf({ halted: true }));
  expect(card.querySelector('.entry-files')?.textContent).toBe('roof.png0 of 3.0 MB');
  expect(card.querySelector('.entry-state')?.textContent).toBe('Paused – What has arrived stays on the server.');
  expect(offered(card)).toEqual(['Edit', 'Resume', 'Discard']);
  await press('Resume');
  expect(outbox.haltFiles).toHaveBeenLastCalledWith(entry.id, false);
});

test('offers no Pause while the change itself is being sent', () => {
  expect(offered(cardOf(entryOf(large, { state: 'sending' }), travelOf({})))).toEqual(['Discard']);
});

test('marks an emptied field and shows a long text in full on hover', () => {
  const long = 'Forty panels on the roof of the mill, with two inverters.';
  const change = editing('7', partner('Acme', 'https://acme.example'), partner('Acme', ''));
  const card = cardOf(entryOf(change));
  expect(within(card).getByRole('list', { name: 'What changed' }).textContent).toBe(
    'Link https://acme.example → (empty)',
  );
  const other = entryOf(editing('7', partner(long), partner(long.replace('two', 'three'))));
  becomes([other]);
  const line = screen.getByRole('list', { name: 'What changed' }).querySelector('li');
  expect(line?.title).toBe(`Name: ${long} → ${long.replace('two', 'three')}`);
  expect(line?.textContent).toMatch(/^Name … /);
});

test('shows no progress and no Pause for an uploaded file', () => {
  const card = cardOf(entryOf(large), travelOf({ offset: 3 * MB }));
  expect(card.querySelector('progress')).toBeNull();
  expect(offered(card)).toEqual(['Edit', 'Discard']);
});

test('offers Send now anyway instead of Pause for a file that waits for Wi-Fi', async () => {
  const entry = entryOf(large);
  const card = cardOf(entry, travelOf({}, { wifiOver: MB, metered: true }));
  expect(card.querySelector('.entry-state')?.textContent).toBe('Waiting for Wi-Fi – roof.png is larger than 1.0 MB.');
  expect(offered(card)).toEqual(['Edit', 'Send now anyway', 'Discard']);
  await press('Send now anyway');
  expect(outbox.sendOverAnyLink).toHaveBeenCalledExactlyOnceWith(entry.id);
});

test('lists the candidates of “Did this save?” and adopts the one that is pressed', async () => {
  const entry = entryOf(creating(), {
    state: 'attention',
    reason: { code: 'several-candidates', message: 'Two records could be this one.' },
    candidates: [31, 32],
  });
  const card = cardOf(entry);
  expect(card.querySelector('.entry-state')?.textContent).toBe('Did this save? – Two records could be this one.');
  expect(within(card).getByRole('link', { name: 'Record 32' }).getAttribute('href')).toBe('/partner-edit/32');
  const [, second] = within(card).getAllByRole('button', { name: 'Yes, it is this one' });
  await userEvent.click(second ?? card);
  expect(outbox.adopt).toHaveBeenCalledExactlyOnceWith(entry.id, 32);
});

test('shows a change of a newer version without links, and only Discard', () => {
  const card = cardOf(entryOf(creating(), { schema: ENTRY_SCHEMA + 1, title: 'Newer' }));
  expect(card.querySelector('h3')?.textContent).toBe('Newer');
  expect(within(card).queryByRole('link')).toBeNull();
  expect(card.querySelector('.entry-facets')?.textContent).toMatch(/^Change\u00a0· 1 min ago$/);
  expect(offered(card)).toEqual(['Discard']);
});

test('shows a waiting picture from the bytes on this device', async () => {
  URL.createObjectURL = () => 'blob:logo';
  URL.revokeObjectURL = vi.fn<(url: string) => void>();
  vi.mocked(outbox.file).mockResolvedValue(new File(['GIF8'], 'logo.gif'));
  const files = [{ ...fileOf('plan', 'catalog'), type: 'application/pdf' }, fileOf('logo', 'image')];
  const card = cardOf(entryOf({ ...creating(), files } as OutboxEntry['change']));
  await soon(() => expect(card.querySelector('img')?.src).toBe('blob:logo'));
  expect(outbox.file).toHaveBeenCalledExactlyOnceWith(files[1]);
  becomes([]);
  expect(URL.revokeObjectURL).toHaveBeenCalledExactlyOnceWith('blob:logo');
});

test('asks before a discard, names the record, and keeps it on Cancel', async () => {
  const entry = entryOf(creating('local-1', partner('Acme')));
  vi.mocked(outbox.discardedWith).mockResolvedValue([entryOf(deleting('local-1')), entryOf(deleting('local-1'))]);
  cardOf(entry);
  await press('Discard');
  const dialog = await screen.findByRole('alertdialog');
  expect(dialog.textContent).toContain('“Acme” will not be sent');
  expect(dialog.textContent).toContain('2 later changes of this record will go with it.');
  expect(document.activeElement?.textContent).toBe('Cancel');
  fireEvent.click(within(dialog).getByRole('button', { name: 'Cancel' }));
  await soon(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  expect(outbox.discard).not.toHaveBeenCalled();
});

test('reports that nothing was done when the storage fails', async () => {
  vi.spyOn(console, 'error').mockReturnValue();
  const locked = Promise.reject(new Error('locked'));
  locked.catch(() => undefined);
  vi.mocked(outbox.retry).mockReturnValue(locked);
  vi.mocked(outbox.discardedWith).mockReturnValue(locked as never);
  cardOf(entryOf(creating(), { state: 'attention', reason: refusal }));
  await press('Retry');
  await press('Discard');
  const words = (standing: string) => `error: This device’s storage isn’t responding. ${standing} Try again. (locked)`;
  await soon(() => expect(toasts()).toEqual([words('Nothing was sent.'), words('Nothing was discarded.')]));
  expect(screen.queryByRole('alertdialog')).toBeNull();
});
