import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Link, MemoryRouter, Route, Routes } from 'react-router-dom';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import type { Base, OutboxEntry } from '../../src/domain/outbox/vocabulary.ts';
import { catalogue as german } from '../../src/language/de.ts';
import { speak } from '../../src/language/t.ts';
import { useConnection } from '../../src/stores/connection.ts';
import { deleting, editing, entryOf, fileOf, NOW } from '../domain/outbox/samples.ts';
import { soon } from '../harness/soon.ts';
import { openOutbox, outbox, press, toasts } from './open-outbox.tsx';

/** What the versions of a field show, and what is said where a choice is not taken. */

const MILL = 'Forty panels on the roof of the mill.';
const reason = { code: 'conflict', message: '' } as const;
const group = (name: RegExp) => screen.getByRole('group', { name });
const versions = (part: HTMLElement) => [...part.querySelectorAll('.conflict-text')];
const marked = (version: Element | undefined) => version?.innerHTML.replaceAll(/ aria-hidden="true"/g, ' hidden');
const time = (at: number) => new Date(at).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });

afterEach(() => speak(undefined));

/** An edit that meets what is on the server now. */
function conflicting(change: OutboxEntry['change'], theirs: Partial<Base>, more: object = {}): OutboxEntry {
  const conflict = { theirs: { values: {}, imageIds: [], ...theirs }, foundAt: NOW };
  return entryOf(change, { state: 'attention', reason, conflict, ...more });
}

/** Opens the comparison of an edit of a partner's name, or of other fields. */
function compare(
  from: Record<string, string>,
  mine: Record<string, string>,
  theirs: Record<string, string>,
  more = {},
) {
  const change = { ...editing('7', from, mine), ...more } as OutboxEntry['change'];
  const entry = conflicting(change, { values: theirs });
  openOutbox([entry], {}, { address: `/outbox/conflict/${entry.id}` });
  return entry;
}

test('marks in each version of a long text what differs from its base', () => {
  compare({ name: MILL }, { name: MILL.replace('Forty', 'Fifty') }, { name: MILL.replace('roof', 'flat roof') });
  const [before, mine, theirs] = versions(group(/^Name/));
  expect(before?.innerHTML).toBe(MILL);
  expect(marked(mine)).toBe('<del hidden>Forty</del><ins>Fifty</ins> panels on the roof of the mill.');
  expect(marked(theirs)).toBe('Forty panels on the <ins>flat </ins>roof of the mill.');
});

test('marks what has changed since in the fields of a deletion', () => {
  const change = { ...deleting('7'), base: { values: { name: MILL }, imageIds: [] } } as OutboxEntry['change'];
  const entry = conflicting(change, { values: { name: MILL.replace('Forty', 'Fifty') } });
  openOutbox([entry], {}, { address: `/outbox/conflict/${entry.id}` });
  const [before, now] = versions(screen.getByRole('region', { name: 'Name' }));
  expect(before?.innerHTML).toBe(MILL);
  expect(marked(now)).toBe('<del hidden>Forty</del><ins>Fifty</ins> panels on the roof of the mill.');
});

test('shows list values in the user’s language, as the form does', () => {
  speak(german);
  const more = { resource: 'grid-tie-inverters' };
  compare({ type: 'Single Phase' }, { type: 'Three Phase' }, { type: 'Something new' }, more);
  const shown = versions(document.querySelector<HTMLElement>('.conflict-field') ?? document.body);
  expect(shown.map(({ textContent }) => textContent)).toEqual(['Einphasig', 'Dreiphasig', 'Something new']);
});

test('says whether a picture is missing on this device or for everyone, and offers no third value for a file', () => {
  const base = { values: {}, imageIds: [], files: { image: 'before.png' } };
  const change = { ...editing('7', {}, {}), base, files: [fileOf('mine', 'image')] } as OutboxEntry['change'];
  const entry = conflicting(change, { files: { image: 'theirs.png' } });
  openOutbox([entry], {}, { address: `/outbox/conflict/${entry.id}` });
  const field = within(group(/^Image/));
  const [before, theirs] = field.getAllByRole<HTMLImageElement>('img', { name: 'On the server' });
  expect([before, theirs].map((picture) => picture?.getAttribute('src'))).toEqual([
    '/uploads/before.png?width=300',
    '/uploads/theirs.png?width=300',
  ]);
  fireEvent.error(theirs ?? document.body);
  // While the server answers, it is not the device that lacks the picture.
  const { answers } = useConnection.getState();
  onTestFinished(() => act(() => useConnection.setState({ answers })));
  for (const [answered, words] of [
    [true, 'Not available'],
    [false, 'Not on this device'],
  ] as const) {
    act(() => useConnection.setState({ answers: answered }));
    expect(field.getByText(words)).toBeDefined();
  }
  expect(field.getAllByRole('radio')).toHaveLength(2);
});

test('lets Mine be chosen for a field that this version does not know', async () => {
  const entry = compare({ colour: 'white' }, { colour: 'red' }, { colour: 'blue' });
  await press('All mine');
  await press('Save choices');
  expect(outbox.resolve).toHaveBeenCalledExactlyOnceWith(entry.id, { colour: 'red' }, []);
});

test('shows in the heading when the local change was made, not when the conflict was found', () => {
  const entry = conflicting(
    editing('7', { name: 'Acme' }, { name: 'Mine' }),
    { values: { name: 'Theirs' } },
    { createdAt: NOW - 25 * 60_000 },
  );
  openOutbox([entry], {}, { address: `/outbox/conflict/${entry.id}` });
  const words = `Edit partner, ${time(NOW - 25 * 60_000)} on this device. Someone else has edited it since.`;
  expect(screen.getByText(words)).toBeDefined();
});

test('does not carry choices over to the next comparison', async () => {
  const edit = (title: string) =>
    conflicting(editing('7', { name: 'A' }, { name: `Mine ${title}` }), { values: { name: 'Theirs' } }, { title });
  const [one, two] = [edit('Acme'), edit('Bolt')];
  openOutbox([one, two]);
  cleanup();
  const { default: ConflictScreen } = await import('../../src/features/outbox/conflict-screen.tsx');
  render(
    <MemoryRouter initialEntries={[`/outbox/conflict/${one.id}`]}>
      <Link to={`/outbox/conflict/${two.id}`}>The other one</Link>
      <Routes>
        <Route path="/outbox/conflict/:entryId" element={<ConflictScreen />} />
      </Routes>
    </MemoryRouter>,
  );
  await press('All mine');
  await userEvent.click(screen.getByRole('link', { name: 'The other one' }));
  expect(screen.getByRole('heading', { name: 'Compare Bolt' })).toBeDefined();
  expect(screen.getByText('1 field left')).toBeDefined();
});

test('keeps the choices when the storage fails', async () => {
  vi.spyOn(console, 'error').mockReturnValue();
  vi.mocked(outbox.resolve).mockRejectedValue(new Error('locked'));
  compare({ name: 'Acme' }, { name: 'Mine' }, { name: 'Theirs' });
  await press('All mine');
  await press('Save choices');
  await soon(() => expect(toasts()).toHaveLength(1));
  await act(async () => {});
  expect(screen.getByRole('heading', { name: 'Compare Acme' })).toBeDefined();
  expect(screen.queryByText('1 field left')).toBeNull();
});

/** Discards the change, and confirms it. */
async function giveUp(): Promise<void> {
  await press('Discard my change');
  const dialog = await screen.findByRole('alertdialog');
  fireEvent.click(within(dialog).getByRole('button', { name: 'Discard' }));
  await soon(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  await act(async () => {});
}

test('keeps the comparison open when a discard fails', async () => {
  vi.spyOn(console, 'error').mockReturnValue();
  vi.mocked(outbox.discard).mockRejectedValue(new Error('locked'));
  compare({ name: 'Acme' }, { name: 'Mine' }, { name: 'Theirs' });
  await giveUp();
  const words = 'error: This device’s storage isn’t responding. Nothing was discarded. Try again. (locked)';
  await soon(() => expect(toasts()).toEqual([words]));
  expect(screen.getByRole('heading', { name: 'Compare Acme' })).toBeDefined();
});

test('treats a discard as done when its state cannot be read afterwards', async () => {
  vi.mocked(outbox.entry).mockRejectedValue(new Error('locked'));
  compare({ name: 'Acme' }, { name: 'Mine' }, { name: 'Theirs' });
  await giveUp();
  expect(await screen.findByRole('heading', { name: 'Outbox' })).toBeDefined();
  expect(toasts()).toEqual([]);
});
