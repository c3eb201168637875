import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import TrashScreen from '../../src/features/trash/trash-screen.tsx';
import { removeCopies } from '../../src/offline/cache/cache.ts';
import { useConnection } from '../../src/stores/connection.ts';
import { useServerAbilities } from '../../src/stores/server-abilities.ts';
import { useSession } from '../../src/stores/session.ts';
import { soon } from '../harness/soon.ts';
import { answer, answerQuestion, NADIA, press, refusal, sent, show, told, unreachable } from './open-screen.tsx';

const AT = Date.now() - 2 * 24 * 60 * 60 * 1000;
const UNTIL = new Date(AT + 30 * 24 * 60 * 60 * 1000).toISOString();

const entryOf = (entry: number, title: string, more: object = {}) => ({
  entry,
  resource: 'generators',
  id: entry + 100,
  title,
  deletedAt: new Date(AT).toISOString(),
  deletedBy: 'Omar Faruk',
  until: UNTIL,
  files: 0,
  ...more,
});

const PERKINS = entryOf(2, 'Perkins 20 kVA', { picture: 'a.jpg', files: 4 });
const CUMMINS = entryOf(1, 'Cummins 500 kVA');

beforeEach(() => {
  useServerAbilities.setState({ server: 'voltdesk', trash: { days: 30 } }, true);
  vi.stubGlobal(
    'fetch',
    vi.fn(async () => new Response('x', { headers: { 'Content-Type': 'image/webp' } })),
  );
});

afterEach(async () => {
  useServerAbilities.setState({}, true);
  vi.unstubAllGlobals();
  await removeCopies();
});

function open(entries: readonly object[] = [PERKINS, CUMMINS], total = entries.length) {
  answer('GET /api/trash', { entries, total });
  return show(<TrashScreen />, '/trash');
}

const lineOf = async (title: string) => (await screen.findByText(title)).closest('li') ?? document.body;
const restoring = (one: { id: number }) => `POST /api/trash/generators/${one.id}/restore`;
const deleting = (one: { id: number }) => `POST /api/trash/generators/${one.id}/delete`;

test('says of each record who deleted it, what comes back with it and how long it stays', async () => {
  open();
  const line = await lineOf('Perkins 20 kVA');
  for (const fact of ['Generator', 'Deleted by Omar Faruk', '4 files', '28 days left'])
    expect(line.textContent).toContain(fact);
  expect(screen.getByText('Deleted records stay here for 30 days')).toBeTruthy();
  await soon(() => expect(line.querySelector('img')?.getAttribute('src')).toContain('blob:'));
  expect(vi.mocked(fetch).mock.calls.map(([address]) => address)).toEqual(['/api/trash/files/a.jpg?width=100']);
  expect((await lineOf('Cummins 500 kVA')).querySelector('img')).toBeNull();
});

test('restores a record, offers to open it, and lists what is left', async () => {
  open();
  const line = await lineOf('Perkins 20 kVA');
  answer(restoring(PERKINS), { message: 'Generator Restored Successfully', id: 102 });
  answer('GET /api/trash', { entries: [CUMMINS], total: 1 });
  await userEvent.click(within(line).getByRole('button', { name: 'Restore “Perkins 20 kVA”' }));
  await soon(() => expect(line.isConnected).toBe(false));
  await told('done: “Perkins 20 kVA” restored');
  expect(screen.getByText('Cummins 500 kVA')).toBeTruthy();
});

test('restores the chosen records, and says what failed', async () => {
  open();
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Select all' }));
  answer(restoring(PERKINS), { message: '' });
  answer(restoring(CUMMINS), refusal({}, 'This Generator is no longer in the trash.'));
  await userEvent.click(screen.getByRole('button', { name: 'Restore' }));
  await told('error: This Generator is no longer in the trash.', 'done: 1 record restored');
  expect(screen.getByRole<HTMLInputElement>('checkbox', { name: 'Select all' }).checked).toBe(false);
});

test('deletes for good only after a question that names the record', async () => {
  open();
  await press('Delete “Perkins 20 kVA” for good');
  const words = await answerQuestion('Delete “Perkins 20 kVA” for good?', 'Cancel');
  expect(words).toContain('Nobody can restore them.');
  expect(sent(deleting(PERKINS))).toEqual([]);
  answer(deleting(PERKINS), { message: 'Deleted for good' });
  answer('GET /api/trash', { entries: [], total: 0 });
  await press('Delete “Perkins 20 kVA” for good');
  await answerQuestion('Delete “Perkins 20 kVA” for good?', 'Delete for good');
  await told('done: 1 record deleted for good');
  expect(await screen.findByRole('heading', { name: 'The trash is empty' })).toBeTruthy();
});

test('names the chosen records before they are deleted for good', async () => {
  const many = [5, 4, 3, 2, 1].map((number) => entryOf(number, `Generator ${number}`));
  open(many);
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Select all' }));
  await userEvent.click(screen.getByRole('checkbox', { name: 'Select Generator 1' }));
  await press('Delete for good');
  const words = await answerQuestion('Delete 4 records for good?', 'Cancel');
  expect(words).toContain('Generator 5Generator 4Generator 3and 1 more');
});

test.each([
  ['viewer', 0, 0],
  ['editor', 2, 0],
  ['owner', 2, 2],
] as const)('lets a %s do what the role may', async (role, restores, deletes) => {
  useSession.setState({ user: { ...NADIA, role } });
  open();
  await lineOf('Perkins 20 kVA');
  expect(screen.queryAllByRole('button', { name: /^Restore “/ })).toHaveLength(restores);
  expect(screen.queryAllByRole('button', { name: /^Delete “/ })).toHaveLength(deletes);
  expect(screen.queryAllByRole('checkbox')).toHaveLength(restores === 0 ? 0 : 3);
});

test('asks the server for a kind and a text, and shows all again without them', async () => {
  open();
  await lineOf('Cummins 500 kVA');
  answer('GET /api/trash?kind=partners', { entries: [], total: 0 });
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Kind' }), 'Partners');
  expect(await screen.findByRole('heading', { name: 'Nothing found' })).toBeTruthy();
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Kind' }), 'All kinds');
  answer('GET /api/trash?search=perk', { entries: [PERKINS], total: 1 });
  await userEvent.type(screen.getByRole('searchbox', { name: 'Search the trash' }), 'perk');
  await soon(() => expect(screen.queryByText('Cummins 500 kVA')).toBeNull());
  expect(screen.getByText('Perkins 20 kVA')).toBeTruthy();
});

test('opens with the kind of the list that it was reached from', async () => {
  answer('GET /api/trash?kind=generators', { entries: [PERKINS], total: 1 });
  show(<TrashScreen />, { pathname: '/trash', search: '?kind=generators' });
  await lineOf('Perkins 20 kVA');
  expect(screen.getByRole<HTMLSelectElement>('combobox', { name: 'Kind' }).value).toBe('generators');
});

test('goes on with the next page', async () => {
  open([PERKINS], 2);
  answer('GET /api/trash?before=2', { entries: [CUMMINS], total: 2 });
  await press('Show more');
  await lineOf('Cummins 500 kVA');
  expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull();
});

test('shows without a connection what this device last saw, offers nothing, and asks again when it returns', async () => {
  const first = open();
  await lineOf('Perkins 20 kVA');
  first.unmount();
  answer('GET /api/trash', unreachable());
  show(<TrashScreen />, '/trash');
  const line = await lineOf('Perkins 20 kVA');
  expect(await screen.findByText(/The trash needs a connection\. This is the list from \d/)).toBeTruthy();
  for (const button of within(line).getAllByRole<HTMLButtonElement>('button')) expect(button.disabled).toBe(true);
  answer('GET /api/trash', { entries: [CUMMINS], total: 1 });
  useConnection.setState({ radio: true, answers: false });
  useConnection.setState({ radio: true, answers: true });
  await soon(() => expect(screen.queryByText(/needs a connection/)).toBeNull());
  expect(screen.queryByText('Perkins 20 kVA')).toBeNull();
});

test('says that it needs a connection where this device never saw it', async () => {
  answer('GET /api/trash', unreachable());
  show(<TrashScreen />, '/trash');
  expect(await screen.findByText(/The trash needs a connection\.$/)).toBeTruthy();
  expect(screen.queryByRole('heading', { name: 'The trash is empty' })).toBeNull();
});

test('says behind another server that nothing is kept', async () => {
  useServerAbilities.setState({ server: 'voltdesk' }, true);
  show(<TrashScreen />, '/trash');
  expect(await screen.findByRole('heading', { name: 'This server keeps no deleted records' })).toBeTruthy();
});
