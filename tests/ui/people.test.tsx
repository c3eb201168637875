import { fireEvent, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { ApiFailure } from '../../src/api/failure.ts';
import PeopleScreen from '../../src/features/account/people-screen.tsx';
import SessionsScreen from '../../src/features/account/sessions-screen.tsx';
import { useSession } from '../../src/stores/session.ts';
import { soon } from '../harness/soon.ts';
import {
  answer,
  answerQuestion,
  NADIA,
  press,
  refusal,
  sent,
  show,
  toasts,
  told,
  unreachable,
} from './open-screen.tsx';

const HOUR = 3_600_000;
const ago = (hours: number) => new Date(Date.now() - hours * HOUR).toISOString();
const nadia = { ...NADIA, hasSecondFactor: false, lastSeenAt: ago(2) };
const omar = { id: 8, name: 'omar Faruk', email: 'omar@example.com', role: 'viewer', hasSecondFactor: true };
const invited = {
  id: 'inv-1',
  name: 'Lila',
  email: 'lila@example.com',
  role: 'editor',
  expiresAt: '2026-11-29T10:42:00Z',
};
const link = { message: '', token: 'secret', expiresAt: '2026-11-29T10:42:00Z', mailed: false };

const LIST = 'GET /api/people';
const people = { people: [nadia, omar], invitations: [invited], secondFactorRequired: false };
const line = (text: string) => screen.getByText(text).closest('li') ?? document.body;

beforeEach(() => answer(LIST, people));

test('lists people with their roles, and locks the user’s own role', async () => {
  show(<PeopleScreen />);
  await screen.findByText('You');
  const [own, other] = within(screen.getByRole('region', { name: 'People' })).getAllByRole('listitem');
  expect(own?.textContent).toContain('NNadia RahmanYounadia@example.com · seen 2 h ago');
  expect(own?.textContent).not.toContain('second factor');
  expect(other?.textContent).toContain('Oomar Farukomar@example.com · logged out · second factor');
  expect(other?.textContent).not.toContain('You');
  const role = (name: string) => screen.getByRole<HTMLSelectElement>('combobox', { name: `Role of ${name}` });
  expect([role('Nadia Rahman').value, role('Nadia Rahman').disabled]).toEqual(['owner', true]);
  expect([role('omar Faruk').value, role('omar Faruk').disabled]).toEqual(['viewer', false]);
  expect([...role('omar Faruk').options].map(({ text }) => text)).toEqual(['Viewer', 'Editor', 'Owner']);
  expect(screen.queryByRole('button', { name: 'More for Nadia Rahman' })).toBeNull();
  expect(line('Lila').textContent).toContain('lila@example.com · Editor · until 29 Nov');
});

test('explains the roles below the people, also while nobody is invited', async () => {
  answer(LIST, { ...people, invitations: [] });
  show(<PeopleScreen />);
  const explained = (await screen.findByRole('heading', { name: 'Roles' })).nextElementSibling;
  expect([...(explained?.querySelectorAll('strong') ?? [])].map(({ textContent }) => textContent)).toEqual([
    'Owner:',
    'Editor:',
    'Viewer:',
  ]);
  expect(screen.queryByRole('heading', { name: 'Invited' })).toBeNull();
});

test('changes a role at once, shows the server’s message and reloads the list', async () => {
  answer('POST /api/people/8/role', { message: 'omar Faruk is now an editor' });
  show(<PeopleScreen />);
  await userEvent.selectOptions(await screen.findByRole('combobox', { name: 'Role of omar Faruk' }), 'editor');
  await told('done: omar Faruk is now an editor');
  expect(sent('POST /api/people/8/role')).toEqual([{ role: 'editor' }]);
  await soon(() => expect(sent(LIST)).toHaveLength(2));
});

test('shows the role that a person still has when the server refuses another', async () => {
  answer('POST /api/people/8/role', refusal({}, 'Somebody has to stay an owner.'));
  show(<PeopleScreen />);
  const role = await screen.findByRole<HTMLSelectElement>('combobox', { name: 'Role of omar Faruk' });
  await userEvent.selectOptions(role, 'editor');
  await told('error: Somebody has to stay an owner.');
  expect(role.value).toBe('viewer');
});

test('reports a failure and reloads the list', async () => {
  answer('POST /api/people/invitations/inv-1/withdraw', refusal({}, 'It was taken already.'));
  show(<PeopleScreen />);
  await screen.findByText('Lila');
  answer(LIST, { ...people, invitations: [] });
  await press('Withdraw the invitation of Lila');
  await answerQuestion('Withdraw the invitation of Lila?', 'Withdraw');
  await told('error: It was taken already.');
  await soon(() => expect(screen.queryByText('Lila')).toBeNull());
  expect(screen.queryByText('Invited')).toBeNull();
});

const more = async (label: string) => {
  await press('More for omar Faruk');
  await userEvent.click(await screen.findByRole('menuitem', { name: label }));
};

test('removes a person only after a confirmation', async () => {
  answer('POST /api/people/8/remove', { message: 'omar Faruk is removed' });
  show(<PeopleScreen />);
  await more('Remove');
  expect(await answerQuestion('Remove omar Faruk?', 'Cancel')).toContain('All their sessions end.');
  expect(sent('POST /api/people/8/remove')).toEqual([]);
  await more('Remove');
  await answerQuestion('Remove omar Faruk?', 'Remove');
  await told('done: omar Faruk is removed');
});

test('ends the sessions of one person', async () => {
  answer('POST /api/people/8/end-sessions', { message: 'omar Faruk is signed out' });
  show(<PeopleScreen />);
  await more('Log out everywhere');
  await told('done: omar Faruk is signed out');
});

test('resets a second factor after a confirmation', async () => {
  answer('POST /api/people/8/reset-second-factor', { message: 'Reset.' });
  show(<PeopleScreen />);
  await more('Reset second factor');
  await answerQuestion('Reset the second factor of omar Faruk?', 'Reset');
  await told('done: Reset.');
});

test('offers no reset to a person without a second factor', async () => {
  answer(LIST, { ...people, people: [nadia, { ...omar, hasSecondFactor: false }] });
  show(<PeopleScreen />);
  await press('More for omar Faruk');
  const items = (await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent);
  expect(items).toEqual(['New password link', 'Log out everywhere', 'Remove']);
});

test('shows a password link with its expiry, and copies it', async () => {
  const write = vi.fn<(text: string) => Promise<void>>().mockResolvedValue();
  vi.stubGlobal('navigator', Object.assign(navigator, { clipboard: { writeText: write } }));
  answer('POST /api/people/8/reset', link);
  show(<PeopleScreen />);
  await more('New password link');
  const dialog = await screen.findByRole('dialog', { name: 'Send this link to omar Faruk' });
  expect(dialog.textContent).toMatch(/It works once, until 29 Nov, .*\. It won’t be shown again\./);
  const address = `${location.origin}/welcome#secret`;
  expect(within(dialog).getByRole<HTMLInputElement>('textbox', { name: 'Link' }).value).toBe(address);
  fireEvent.click(within(dialog).getByRole('button', { name: 'Copy link' }));
  await told('done: Link copied');
  expect(write).toHaveBeenCalledExactlyOnceWith(address);
  write.mockRejectedValue(new Error('denied'));
  fireEvent.click(within(dialog).getByRole('button', { name: 'Copy link' }));
  await told('error: This browser blocks copying. Select the text and copy it yourself.');
  fireEvent.click(within(dialog).getByRole('button', { name: 'Close' }));
  await soon(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('reports a link that cannot be created, and opens no dialog', async () => {
  answer('POST /api/people/8/reset', unreachable());
  show(<PeopleScreen />);
  await more('New password link');
  await told('error: Can’t reach the server.');
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('shows field errors of an invitation in the dialog, then its link', async () => {
  answer('POST /api/people/invitations', refusal({ email: ['The email is taken.'] }));
  show(<PeopleScreen />);
  await press('Invite');
  const dialog = within(await screen.findByRole('dialog', { name: 'Invite someone' }));
  expect(dialog.getByRole<HTMLSelectElement>('combobox', { name: 'Role' }).value).toBe('editor');
  await userEvent.type(dialog.getByLabelText('Email'), 'lila@example.com');
  fireEvent.click(dialog.getByRole('button', { name: 'Invite' }));
  expect(await dialog.findByText('The email is taken.')).toBeDefined();
  const email = dialog.getByLabelText('Email');
  expect([email.getAttribute('aria-invalid'), email.getAttribute('aria-describedby')]).toEqual([
    'true',
    'invite-email-error',
  ]);
  expect(dialog.getByLabelText('Name').getAttribute('aria-invalid')).toBe('false');
  expect(dialog.queryByText('The given data was invalid.')).toBeNull();
  answer('POST /api/people/invitations', refusal({ name: ['The name is too long.'] }));
  fireEvent.click(dialog.getByRole('button', { name: 'Invite' }));
  expect(await dialog.findByText('The name is too long.')).toBeDefined();
  expect(dialog.getByLabelText('Name').getAttribute('aria-describedby')).toBe('invite-name-error');
  answer('POST /api/people/invitations', { ...link, mailed: true });
  await userEvent.selectOptions(dialog.getByRole('combobox', { name: 'Role' }), 'viewer');
  fireEvent.click(dialog.getByRole('button', { name: 'Invite' }));
  expect(await screen.findByRole('dialog', { name: 'Link sent to lila@example.com' })).toBeDefined();
  expect(screen.queryByRole('dialog', { name: 'Invite someone' })).toBeNull();
  expect(sent('POST /api/people/invitations').at(-1)).toEqual({ name: '', email: 'lila@example.com', role: 'viewer' });
  await soon(() => expect(sent(LIST)).toHaveLength(2));
  await userEvent.keyboard('{Escape}');
  await soon(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('shows the link of an invitation answered after its dialog closed, and keeps the next dialog open', async () => {
  const late = Promise.withResolvers<object>();
  answer('POST /api/people/invitations', late.promise);
  show(<PeopleScreen />);
  await press('Invite');
  const first = within(await screen.findByRole('dialog', { name: 'Invite someone' }));
  await userEvent.type(first.getByLabelText('Email'), 'lila@example.com');
  fireEvent.click(first.getByRole('button', { name: 'Invite' }));
  await userEvent.click(first.getByRole('button', { name: 'Cancel' }));
  await soon(() => expect(screen.queryByRole('dialog')).toBeNull());
  await press('Invite');
  const second = within(await screen.findByRole('dialog', { name: 'Invite someone' }));
  await userEvent.type(second.getByLabelText('Email'), 'omar@example.com');
  late.resolve({ ...link, mailed: true });
  await screen.findByRole('dialog', { name: 'Link sent to lila@example.com' });
  expect(screen.getByLabelText('Email')).toHaveProperty('value', 'omar@example.com');
});

test('says what an invited person may do in the role that is chosen', async () => {
  show(<PeopleScreen />);
  await press('Invite');
  const dialog = within(await screen.findByRole('dialog', { name: 'Invite someone' }));
  const role = dialog.getByLabelText<HTMLSelectElement>('Role');
  expect([...role.options].map(({ text }) => text)).toEqual(['Owner', 'Editor', 'Viewer']);
  const may = () => document.getElementById(role.getAttribute('aria-describedby') ?? '')?.textContent;
  expect(may()).toBe('adds, edits and deletes records.');
  await userEvent.selectOptions(role, 'Viewer');
  expect(may()).toBe('looks at everything, and changes nothing.');
});

test('shows in the dialog why an invitation failed, and Cancel closes it', async () => {
  answer('POST /api/people/invitations', unreachable());
  show(<PeopleScreen />);
  await press('Invite');
  const dialog = within(await screen.findByRole('dialog', { name: 'Invite someone' }));
  await userEvent.type(dialog.getByLabelText('Name'), ' Lila ');
  fireEvent.click(dialog.getByRole('button', { name: 'Invite' }));
  expect(await dialog.findByText('Can’t reach the server.')).toBeDefined();
  answer('POST /api/people/invitations', new Promise(() => {}));
  fireEvent.click(dialog.getByRole('button', { name: 'Invite' }));
  const busy = await dialog.findByRole('button', { name: 'Inviting…' });
  expect(busy.getAttribute('aria-disabled')).toBe('true');
  expect(dialog.queryByText('Can’t reach the server.')).toBeNull();
  fireEvent.click(busy);
  expect(sent('POST /api/people/invitations')).toHaveLength(2);
  fireEvent.click(dialog.getByRole('button', { name: 'Cancel' }));
  await soon(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('requires a second factor after a confirmation, and makes it optional without one', async () => {
  const call = 'POST /api/people/second-factor';
  answer(call, { message: 'Noted.' });
  show(<PeopleScreen />);
  await press('Require it for everyone');
  await answerQuestion('Require a second factor for everyone?', 'Cancel');
  expect(sent(call)).toEqual([]);
  answer(LIST, { ...people, secondFactorRequired: true });
  await press('Require it for everyone');
  await answerQuestion('Require a second factor for everyone?', 'Require it');
  expect(await screen.findByText('Everyone needs one: a passkey or an authenticator app.')).toBeDefined();
  await press('Make it optional');
  await soon(() => expect(sent(call)).toEqual([{ required: 'yes' }, { required: 'no' }]));
});

test('lets a failed load be retried', async () => {
  answer(LIST, unreachable());
  show(<PeopleScreen />);
  expect(await screen.findByText('Can’t reach the server.')).toBeDefined();
  expect(screen.getByText('This page needs a connection.')).toBeDefined();
  answer(LIST, people);
  await press('Retry');
  expect(await screen.findByText('You')).toBeDefined();
  expect(screen.queryByText('Can’t reach the server.')).toBeNull();
});

test('loads people only for owners', () => {
  useSession.setState({ user: { ...NADIA, role: 'editor' } });
  show(<PeopleScreen />);
  expect(screen.getByText('Only owners manage people')).toBeDefined();
  expect(sent(LIST)).toEqual([]);
});

const SESSIONS = 'GET /api/sessions';
const here = { id: 's1', device: 'Chrome on Linux', address: '', signedInAt: ago(1), lastSeenAt: ago(0), isThis: true };
const there = {
  id: 's2',
  device: 'Safari on iPad',
  address: '10.0.0.8',
  signedInAt: ago(9),
  lastSeenAt: ago(3),
  waiting: 2,
  isThis: false,
};

test('shows device, last activity and waiting changes of each session, and no way to end this one', async () => {
  answer(SESSIONS, [here, there]);
  show(<SessionsScreen />);
  const [own, other] = await within(await screen.findByRole('region', { name: 'Sessions' })).findAllByRole('listitem');
  expect(own?.textContent).toMatch(/^Chrome on LinuxThis deviceIn use now · signed in [^·]*$/);
  expect(other?.textContent).toMatch(
    /^Safari on iPadLast seen 3 h ago · from 10\.0\.0\.8 · signed in [^·]* · 2 changes waiting thereLog out$/,
  );
  expect(own?.querySelector('[data-testid="ComputerOutlinedIcon"]')).not.toBeNull();
  expect(other?.querySelector('[data-testid="TabletAndroidOutlinedIcon"]')).not.toBeNull();
});

test('ends a session after a confirmation that names its waiting changes', async () => {
  answer(SESSIONS, [here, there]);
  answer('POST /api/sessions/s2/end', { message: 'Signed out.' });
  show(<SessionsScreen />);
  await press('Log out Safari on iPad');
  const words = await answerQuestion('Log out Safari on iPad?', 'Cancel');
  expect(words).toContain(
    'It will be logged out the next time it reaches the server. 2 changes are waiting there and will be kept.',
  );
  expect(sent('POST /api/sessions/s2/end')).toEqual([]);
  await press('Log out Safari on iPad');
  await answerQuestion('Log out Safari on iPad?', 'Log out');
  await told('done: Signed out.');
  await soon(() => expect(sent(SESSIONS)).toHaveLength(2));
});

test('ends all other sessions together', async () => {
  answer(SESSIONS, [here, { ...there, waiting: 0 }]);
  answer('POST /api/sessions/end-others', { message: 'Signed out everywhere else.' });
  show(<SessionsScreen />);
  await press('Log out everywhere else');
  answer(SESSIONS, [here]);
  await answerQuestion('Log out everywhere else?', 'Log out');
  await told('done: Signed out everywhere else.');
  await soon(() => expect(screen.queryByRole('button', { name: 'Log out everywhere else' })).toBeNull());
  expect(toasts()).toEqual([]);
});

test('reports that nothing was changed when a required sign-in is dismissed', async () => {
  const call = 'POST /api/people/second-factor';
  answer(call, new ApiFailure('sign-in-again', 'Sign in again.'));
  answer(LIST, { ...people, secondFactorRequired: true });
  show(<PeopleScreen />);
  await press('Make it optional');
  const dialog = within(await screen.findByRole('dialog', { name: 'Sign in to continue' }));
  expect(dialog.getByText(/^Sign in again to change how people sign in\./)).toBeDefined();
  expect(dialog.getByLabelText<HTMLInputElement>('Email').value).toBe(NADIA.email);
  fireEvent.click(dialog.getByRole('button', { name: 'Later' }));
  await told('error: Nothing was changed.');
  expect(sent(call)).toHaveLength(1);
});
