import { act, fireEvent, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import AccountLinks from '../../src/app/shell/account-links.tsx';
import PreferencesScreen from '../../src/features/account/preferences-screen.tsx';
import SecurityScreen from '../../src/features/account/security-screen.tsx';
import { SignInForm } from '../../src/features/auth/sign-in-form.tsx';
import { usePanel } from '../../src/stores/panels.ts';
import { UNTOUCHED, usePreferences } from '../../src/stores/preferences.ts';
import { useServerAbilities } from '../../src/stores/server-abilities.ts';
import { hasUnsavedWork } from '../../src/stores/unsaved.ts';
import { useSession } from '../../src/stores/session.ts';
import { soon } from '../harness/soon.ts';
import { answer, answerQuestion, NADIA, press, refusal, sent, show, told, unreachable } from './open-screen.tsx';

const browser = vi.hoisted(() => ({
  startRegistration: vi.fn<() => Promise<unknown>>(),
  startAuthentication: vi.fn<() => Promise<unknown>>(),
}));
vi.mock('@simplewebauthn/browser', () => browser);

const FACTORS = 'GET /api/security';
const added = new Date(2026, 10, 3, 10, 42).toISOString();
const phone = { id: 'p1', name: 'Phone', createdAt: added };
const key = { id: 'p2', name: 'Key', createdAt: added, usedAt: added };
const none = { passkeys: [], codesLeft: 0, required: false };
const all = { passkeys: [phone, key], authenticatorSince: added, codesLeft: 4, required: false };

beforeEach(() => {
  vi.stubGlobal('PublicKeyCredential', () => {});
  vi.stubGlobal('isSecureContext', true);
  browser.startRegistration.mockResolvedValue({ id: 'made' });
  browser.startAuthentication.mockResolvedValue({ id: 'shown' });
});
afterEach(() => {
  vi.unstubAllGlobals();
  useServerAbilities.setState({}, true);
});

const lines = async () =>
  (await within(await screen.findByRole('region', { name: 'Second factor' })).findAllByRole('listitem')).map(
    ({ textContent }) => textContent,
  );

test('shows when each factor was added and used, and how many codes are left', async () => {
  answer(FACTORS, all);
  show(<SecurityScreen />);
  const [first, second, app, codes] = await lines();
  expect(first).toMatch(/^PhonePasskey · added 3 Nov.* · not used yet/);
  expect(second).toMatch(/^KeyPasskey · added 3 Nov.* · last used 3 Nov/);
  expect(app).toMatch(/^Authenticator appSet up 3 Nov.*ReplaceRemove$/);
  expect(codes).toBe('Recovery codes4 codes of 10 left, in case you lose everything elseCreate new');
});

test('suggests new codes when few are left, and setting up a missing app', async () => {
  answer(FACTORS, { ...all, authenticatorSince: undefined, codesLeft: 3, required: true });
  show(<SecurityScreen />);
  const found = await lines();
  expect(found[2]).toBe('Authenticator appNot set upSet up');
  expect(found[3]).toContain('Create new ones soon3 codes of 10');
  expect(screen.getByText(/You need at least one: a second factor is required here\./)).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Remove the authenticator app' })).toBeNull();
});

test.each([
  ['an authenticator app', { ...none, authenticatorSince: added, codesLeft: 4 }, 1],
  ['a passkey', { ...none, passkeys: [phone], codesLeft: 4 }, 2],
])('accepts %s alone as a second factor', async (_, factors, place) => {
  answer(FACTORS, factors);
  show(<SecurityScreen />);
  expect((await lines())[place]).toContain('4 codes of 10 left');
  expect(screen.queryByText(/^Only your password protects your account/)).toBeNull();
});

test('offers both kinds of factor, or only the app in a browser without passkeys', async () => {
  answer(FACTORS, { ...none, required: true });
  const { unmount } = show(<SecurityScreen />);
  expect(await screen.findByText(/It is required here\./)).toBeDefined();
  expect(screen.getByRole('button', { name: /^Add a passkey/ })).toBeDefined();
  unmount();
  vi.stubGlobal('isSecureContext', false);
  answer(FACTORS, none);
  show(<SecurityScreen />);
  expect(await screen.findByRole('button', { name: /^Use an authenticator app/ })).toBeDefined();
  expect(screen.queryByRole('button', { name: /^Add a passkey/ })).toBeNull();
  expect(screen.queryByText(/It is required here\./)).toBeNull();
});

test('shows the passkeys of other devices in a browser without them, and adds none', async () => {
  answer(FACTORS, all);
  const { unmount } = show(<SecurityScreen />);
  expect(await screen.findByRole('button', { name: 'Add a passkey' })).toBeDefined();
  unmount();
  vi.stubGlobal('isSecureContext', false);
  show(<SecurityScreen />);
  expect(await lines()).toHaveLength(4);
  expect(screen.queryByRole('button', { name: 'Add a passkey' })).toBeNull();
});

test('creates a passkey, and reloads only after its recovery codes were saved', async () => {
  answer(FACTORS, none);
  answer('POST /api/security/passkeys/options', { ticket: 'ticket-9', options: { challenge: 'c' } });
  answer('POST /api/security/passkeys', { message: 'Passkey added.', recoveryCodes: ['aaaa-bbbb', 'cccc-dddd'] });
  show(<SecurityScreen />);
  await press(/^Add a passkey/);
  const dialog = await screen.findByRole('dialog', { name: 'Keep your recovery codes' });
  const codes = within(dialog).getAllByRole('listitem');
  expect(codes.map(({ textContent }) => textContent)).toEqual(['aaaa-bbbb', 'cccc-dddd']);
  expect(sent('POST /api/security/passkeys')).toEqual([{ ticket: 'ticket-9', response: { id: 'made' } }]);
  await told('done: Passkey added.');
  fireEvent.keyDown(dialog, { key: 'Escape' });
  expect(sent(FACTORS)).toHaveLength(1);
  answer(FACTORS, all);
  fireEvent.click(within(dialog).getByRole('button', { name: 'I’ve saved them' }));
  expect(await screen.findByText('Phone')).toBeDefined();
  await soon(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('reports why a passkey was not created', async () => {
  answer(FACTORS, all);
  answer('POST /api/security/passkeys/options', { ticket: 'ticket-9', options: {} });
  show(<SecurityScreen />);
  for (const [name, words] of [
    ['NotAllowedError', 'No passkey selected.'],
    ['InvalidStateError', 'You already have a passkey on this device.'],
    ['SecurityError', 'This browser couldn’t use a passkey here.'],
  ] as const) {
    browser.startRegistration.mockRejectedValue(Object.assign(new Error('no'), { name }));
    await press('Add a passkey');
    await told(`error: ${words}`);
  }
  expect(sent('POST /api/security/passkeys')).toEqual([]);
});

test('copies and saves the codes with their purpose', async () => {
  answer(FACTORS, all);
  answer('POST /api/security/recovery-codes', { message: 'Made.', recoveryCodes: ['aaaa-bbbb', 'cccc-dddd'] });
  const write = vi.fn<(text: string) => Promise<void>>().mockResolvedValue();
  vi.stubGlobal('navigator', Object.assign(navigator, { clipboard: { writeText: write } }));
  const blobs: Blob[] = [];
  URL.createObjectURL = (blob) => `blob:${blobs.push(blob as Blob)}`;
  const saved: string[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function note(this: HTMLAnchorElement) {
    saved.push(this.download);
  });
  show(<SecurityScreen />);
  await press('Create new recovery codes');
  expect(await answerQuestion('Create new recovery codes?', 'Create new ones')).toContain(
    'Your old recovery codes will stop working.',
  );
  await screen.findByRole('dialog', { name: 'Keep your recovery codes' });
  await told('done: Made.');
  await press('Copy');
  await told('done: Codes copied');
  const [[text] = ['']] = write.mock.calls;
  expect(text).toMatch(/^Recovery codes for .*\nEach code works once/);
  expect(text).toContain(`(${location.host})\n`);
  expect(text).toMatch(/\n\naaaa-bbbb\ncccc-dddd\n$/);
  await press('Save as file');
  expect(saved).toEqual(['recovery-codes.txt']);
  expect(blobs[0]?.size).toBe(new Blob([text]).size);
  write.mockRejectedValue(new Error('denied'));
  await press('Copy');
  await told('error: This browser blocks copying. Save them instead.');
});

test('asks before leaving new recovery codes, from the request until they are saved', async () => {
  answer(FACTORS, all);
  const made = Promise.withResolvers<object>();
  answer('POST /api/security/recovery-codes', made.promise);
  show(<SecurityScreen />);
  await press('Create new recovery codes');
  await answerQuestion('Create new recovery codes?', 'Create new ones');
  await soon(() => expect(sent('POST /api/security/recovery-codes')).toHaveLength(1));
  expect(hasUnsavedWork()).toBe(true);
  made.resolve({ message: 'Made.', recoveryCodes: ['aaaa-bbbb'] });
  const dialog = await screen.findByRole('dialog', { name: 'Keep your recovery codes' });
  expect(hasUnsavedWork()).toBe(true);
  fireEvent.click(within(dialog).getByRole('button', { name: 'I’ve saved them' }));
  expect(hasUnsavedWork()).toBe(false);
  await told('done: Made.');
});

test('creates no codes when the confirmation is cancelled', async () => {
  answer(FACTORS, all);
  show(<SecurityScreen />);
  await press('Create new recovery codes');
  await answerQuestion('Create new recovery codes?', 'Cancel');
  expect(sent('POST /api/security/recovery-codes')).toEqual([]);
});

test('renames a passkey, starting from its name, and refuses an empty one', async () => {
  answer(FACTORS, all);
  answer('POST /api/security/passkeys/p2/rename', { message: 'Renamed.' });
  show(<SecurityScreen />);
  await press('Rename Key');
  const dialog = within(await screen.findByRole('dialog', { name: 'Rename the passkey' }));
  const name = dialog.getByLabelText<HTMLInputElement>('Name');
  expect(name.value).toBe('Key');
  await userEvent.clear(name);
  await userEvent.type(name, '  ');
  fireEvent.click(dialog.getByRole('button', { name: 'Rename' }));
  expect(sent('POST /api/security/passkeys/p2/rename')).toEqual([]);
  await userEvent.type(name, 'Blue key ');
  fireEvent.click(dialog.getByRole('button', { name: 'Rename' }));
  await told('done: Renamed.');
  expect(sent('POST /api/security/passkeys/p2/rename')).toEqual([{ name: 'Blue key' }]);
  await soon(() => expect(sent(FACTORS)).toHaveLength(2));
  await soon(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('removes a passkey or the app only after a confirmation', async () => {
  const [passkey, app] = ['POST /api/security/passkeys/p1/remove', 'POST /api/security/authenticator/remove'];
  answer(FACTORS, all);
  answer(passkey, { message: 'Passkey removed.' });
  answer(app, refusal({}, 'One has to remain.'));
  show(<SecurityScreen />);
  await press('Remove Phone');
  expect(await answerQuestion('Remove Phone?', 'Cancel')).toContain('It will no longer sign you in here.');
  await press('Remove the authenticator app');
  await answerQuestion('Remove the authenticator app?', 'Cancel');
  expect([...sent(passkey), ...sent(app)]).toEqual([]);
  await press('Remove Phone');
  await answerQuestion('Remove Phone?', 'Remove');
  await told('done: Passkey removed.');
  await press('Remove the authenticator app');
  await answerQuestion('Remove the authenticator app?', 'Remove');
  await told('error: One has to remain.');
});

test('sets up an authenticator app once its code is right', async () => {
  const [begin, take] = ['POST /api/security/authenticator', 'POST /api/security/authenticator/take'];
  answer(FACTORS, { ...all, authenticatorSince: undefined });
  answer(begin, { ticket: 'ticket-2', secret: 'ABCDEFGHIJ', address: 'otpauth://totp/x?secret=ABCDEFGHIJ' });
  answer(take, refusal({ code: ['This code is not right.'] }));
  show(<SecurityScreen />);
  await press('Set up the authenticator app');
  const dialog = within(await screen.findByRole('dialog', { name: 'Set up an authenticator app' }));
  expect(dialog.getByText('ABCD EFGH IJ')).toBeDefined();
  expect(dialog.getByRole('link', { name: 'Open in an app on this device' }).getAttribute('href')).toContain(
    'otpauth:',
  );
  await userEvent.type(dialog.getByLabelText('Code the app shows now'), '123456');
  fireEvent.click(dialog.getByRole('button', { name: 'Turn on' }));
  expect(await dialog.findByText('This code is not right.')).toBeDefined();
  expect(document.querySelector('.form-failure')).toBeNull();
  answer(take, unreachable());
  fireEvent.click(dialog.getByRole('button', { name: 'Turn on' }));
  expect(await dialog.findByText('Can’t reach the server.')).toBeDefined();
  answer(take, { message: 'The app is set up.' });
  fireEvent.click(dialog.getByRole('button', { name: 'Turn on' }));
  await soon(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(sent(take).at(-1)).toEqual({ ticket: 'ticket-2', code: '123456' });
  await soon(() => expect(sent(FACTORS)).toHaveLength(2));
});

test('reloads nothing after a cancelled set-up', async () => {
  answer(FACTORS, all);
  answer('POST /api/security/authenticator', { ticket: 't', secret: 'ABCD', address: 'otpauth://totp/x' });
  show(<SecurityScreen />);
  await press('Replace the authenticator app');
  const dialog = within(await screen.findByRole('dialog', { name: 'Set up an authenticator app' }));
  fireEvent.click(dialog.getByRole('button', { name: 'Cancel' }));
  await soon(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(sent(FACTORS)).toHaveLength(1);
});

test('signs in with a passkey alone, or as the second step', async () => {
  const done = vi.fn<() => void>();
  useServerAbilities.setState({ secondFactor: true });
  answer('POST /api/auth/passkey/options', { ticket: 'ticket-5', options: {} });
  answer('POST /api/auth/passkey', { user: NADIA, token: 'token-2' });
  const { unmount } = show(<SignInForm onSignedIn={done} />);
  browser.startAuthentication.mockRejectedValueOnce(Object.assign(new Error('no'), { name: 'AbortError' }));
  await press('Use a passkey');
  await told('error: No passkey selected.');
  expect(done).not.toHaveBeenCalled();
  await press('Use a passkey');
  await soon(() => expect(done).toHaveBeenCalledOnce());
  expect(sent('POST /api/auth/passkey')).toEqual([{ ticket: 'ticket-5', response: { id: 'shown' } }]);
  expect(sent('POST /api/auth/passkey/options').at(-1)).toEqual({});
  unmount();
  answer('POST /api/auth/login', { message: '', ticket: 'ticket-1', passkey: true, code: true });
  show(<SignInForm onSignedIn={done} />);
  await press('Sign in');
  expect(await screen.findByText('Password accepted. Now confirm it’s you.')).toBeDefined();
  await press('Use a passkey');
  await soon(() => expect(done).toHaveBeenCalledTimes(2));
  expect(sent('POST /api/auth/passkey/options').at(-1)).toEqual({ ticket: 'ticket-1' });
});

test('offers no passkey when the server has none', () => {
  show(<SignInForm onSignedIn={() => {}} />);
  expect(screen.queryByRole('button', { name: 'Use a passkey' })).toBeNull();
});

/** The links of the account, on a wide page or a narrow one. */
function links(compact: boolean, onClose = () => {}, onLogOut = () => {}) {
  show(<AccountLinks name="Nadia" compact={compact} onClose={onClose} onLogOut={onLogOut} />);
  return [...screen.getByRole('navigation', { name: 'Account' }).children].map(({ textContent }) => textContent);
}

test('shows only the account links that server and role allow', () => {
  expect(links(false)).toEqual(['Preferences', 'Help']);
  expect(screen.queryByText('Nadia')).toBeNull();
});

test('shows an owner every link in the compact menu', async () => {
  useServerAbilities.setState({ people: true, secondFactor: true });
  const [closed, left] = [vi.fn<() => void>(), vi.fn<() => void>()];
  expect(links(true, closed, left)).toEqual([
    'Preferences',
    'Devices & sessions',
    'Security',
    'People',
    'Public site',
    'Backups',
    'Change Password',
    'Help',
    'Logout',
  ]);
  expect(screen.getByText('Nadia')).toBeDefined();
  await press('Logout');
  expect(left).toHaveBeenCalledOnce();
  await press('Help');
  expect(closed).toHaveBeenCalledOnce();
  expect(usePanel.getState()).toMatchObject({ open: 'help' });
  await userEvent.click(screen.getByRole('link', { name: 'People' }));
  expect(closed).toHaveBeenCalledTimes(2);
  expect(screen.getByText(/^went to \/people/)).toBeDefined();
});

test('shows an editor no link to People', () => {
  useSession.setState({ user: { ...NADIA, role: 'editor' } });
  useServerAbilities.setState({ people: true });
  expect(links(false)).toEqual(['Preferences', 'Devices & sessions', 'Help']);
});

test('shows the stored preferences, and applies changes at once', async () => {
  usePreferences.setState({ ...UNTOUCHED, large: true, landing: '/outbox' }, true);
  show(<PreferencesScreen />);
  const start = screen.getByRole<HTMLSelectElement>('combobox', { name: /^Start with/ });
  expect(start.value).toBe('/outbox');
  expect(start.options).toHaveLength(12);
  const box = (name: string) => screen.getByRole<HTMLInputElement>('checkbox', { name });
  const boxes = () => ['Compact rows', 'Large touch', 'Left-handed'].map((name) => box(name).checked);
  expect(boxes()).toEqual([false, true, false]);
  await userEvent.click(box('Left-handed'));
  await userEvent.click(box('Large touch'));
  await userEvent.selectOptions(start, '/generator-all');
  expect(boxes()).toEqual([false, false, true]);
  expect(usePreferences.getState()).toMatchObject({
    dense: false,
    large: false,
    leftHanded: true,
    landing: '/generator-all',
  });
  act(() => usePreferences.setState(UNTOUCHED));
  expect([...boxes(), start.value]).toEqual([false, false, false, '/']);
});
