import { act, fireEvent, render, renderHook, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter, Route, Routes, useNavigationType } from 'react-router-dom';
import { expect, onTestFinished, test, vi } from 'vitest';
import { ApiFailure } from '../../src/api/failure.ts';
import { LoadState } from '../../src/features/account/account-parts.tsx';
import { AuthenticatorDialog } from '../../src/features/account/authenticator-dialog.tsx';
import { CodesDialog } from '../../src/features/account/codes-dialog.tsx';
import { InviteDialog } from '../../src/features/account/invite-dialog.tsx';
import { LinkDialog } from '../../src/features/account/link-dialog.tsx';
import PeopleScreen from '../../src/features/account/people-screen.tsx';
import PreferencesScreen from '../../src/features/account/preferences-screen.tsx';
import SecurityScreen from '../../src/features/account/security-screen.tsx';
import SessionsScreen from '../../src/features/account/sessions-screen.tsx';
import { useServerData } from '../../src/features/account/use-server-data.ts';
import WelcomeScreen from '../../src/features/auth/welcome-screen.tsx';
import { useSession } from '../../src/stores/session.ts';
import { QrCode } from '../../src/ui/qr-code.tsx';
import { soon } from '../harness/soon.ts';
import { answer, answerQuestion, NADIA, press, refusal, sent, show, told, unreachable } from './open-screen.tsx';

/** What the account's dialogs ask, keep and discard, and what they show while the server is asked. */

const never = new Promise<never>(() => {});
const serverData = (more: object) =>
  ({ value: undefined, failure: undefined, loading: false, reload() {}, ...more }) as never;
/** The link of an invitation, as it is opened from a mail. */
const openWelcome = () =>
  render(
    <MemoryRouter initialEntries={['/welcome#secret']}>
      <Routes>
        <Route path="/welcome" element={<WelcomeScreen />} />
        <Route path="*" element={<Elsewhere />} />
      </Routes>
    </MemoryRouter>,
  );
const escape = () => fireEvent.keyDown(screen.getByRole('dialog'), { key: 'Escape' });

test('keeps loaded data during a reload, and disables Retry', () => {
  const { container, rerender } = render(<LoadState data={serverData({ loading: true })} />);
  expect(screen.getByText('Loading')).toBeDefined();
  rerender(<LoadState data={serverData({ value: [], loading: true })} />);
  expect(container.textContent).toBe('');
  const retry = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Retry' }).disabled;
  rerender(<LoadState data={serverData({ failure: 'No.', loading: true })} />);
  expect(retry()).toBe(true);
  rerender(<LoadState data={serverData({ failure: 'No.' })} />);
  expect(retry()).toBe(false);
});

test('says that a reload failed above the data that is still shown', () => {
  render(<LoadState data={serverData({ value: [], failure: 'Can’t reach the server.' })} />);
  expect(screen.getByText(/Can’t reach the server\./)).toBeDefined();
  expect(screen.getByRole('button', { name: 'Retry' })).toHaveProperty('disabled', false);
});

test('keeps loaded data after a failed reload, until the next one succeeds', async () => {
  const load = vi.fn<() => Promise<number>>().mockResolvedValue(1);
  const { result } = renderHook(() => useServerData(load));
  expect(result.current).toMatchObject({ value: undefined, loading: true });
  await soon(() => expect(result.current).toMatchObject({ value: 1, loading: false }));
  load.mockRejectedValue(unreachable());
  act(() => result.current.reload());
  expect(result.current).toMatchObject({ value: 1, loading: true });
  await soon(() => expect(result.current).toMatchObject({ failure: 'Can’t reach the server.', loading: false }));
  expect(result.current.value).toBe(1);
  load.mockResolvedValue(2);
  act(() => result.current.reload());
  await soon(() => expect(result.current).toMatchObject({ value: 2, failure: undefined, loading: false }));
});

test('ignores an answer that arrives after a later one', async () => {
  const answers = [Promise.withResolvers<number>(), Promise.withResolvers<number>()];
  let asked = 0;
  const load = async () => answers[asked++]?.promise ?? 0;
  const { result } = renderHook(() => useServerData(load));
  act(() => result.current.reload());
  await act(async () => answers[1]?.resolve(2));
  expect(result.current).toMatchObject({ value: 2, loading: false });
  await act(async () => answers[0]?.resolve(1));
  expect(result.current).toMatchObject({ value: 2, loading: false });
});

test('reloads after a success and after a failure', async () => {
  const load = vi.fn<() => Promise<number>>().mockResolvedValue(1);
  const { result } = renderHook(() => useServerData(load));
  await act(async () => {});
  await act(async () => expect(await result.current.act(async () => 'Done.')).toBe(true));
  expect(load).toHaveBeenCalledTimes(2);
  await act(async () => expect(await result.current.act(() => Promise.reject(unreachable()))).toBe(false));
  expect(load).toHaveBeenCalledTimes(3);
  await told('done: Done.', 'error: Can’t reach the server.');
});

const APP = { ticket: 't', secret: 'ABCD', address: 'otpauth://totp/x?secret=ABCD' };
const scanned = (name: string) => screen.getByRole<HTMLImageElement>('img', { name }).src;

test('the QR code holds the whole address; Escape cancels the set-up', async () => {
  const closed = vi.fn<() => void>();
  show(<AuthenticatorDialog app={APP} onAdded={() => {}} onClose={closed} />);
  const src = scanned('QR code for the authenticator app');
  escape();
  expect(closed).toHaveBeenCalledOnce();
  answer('POST /api/security/authenticator/take', never);
  await press('Turn on');
  const busy = await screen.findByRole('button', { name: 'Checking…' });
  expect(busy.getAttribute('aria-disabled')).toBe('true');
  show(<QrCode text={APP.address} label="The same" />);
  expect(document.querySelector<HTMLImageElement>('img[alt="The same"]')?.src).toBe(src);
});

test('only its button closes the recovery codes, and the saved file is released afterwards', () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const [closed, revoked] = [vi.fn<() => void>(), vi.fn<(address: string) => void>()];
  Object.assign(URL, { createObjectURL: () => 'blob:codes', revokeObjectURL: revoked });
  const clicked = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockReturnValue();
  show(<CodesDialog codes={['aaaa-bbbb']} onClose={closed} />);
  escape();
  expect(closed).not.toHaveBeenCalled();
  fireEvent.click(screen.getByRole('button', { name: 'Save as file' }));
  expect(clicked).toHaveBeenCalledOnce();
  vi.advanceTimersByTime(5000);
  expect(revoked).not.toHaveBeenCalled();
  vi.advanceTimersByTime(5000);
  expect(revoked).toHaveBeenCalledExactlyOnceWith('blob:codes');
  fireEvent.click(screen.getByRole('button', { name: 'I’ve saved them' }));
  expect(closed).toHaveBeenCalledOnce();
});

const LINK = { message: '', token: 'secret', expiresAt: '2026-11-29T10:42:00Z', mailed: false };

test('calls an invited person by the trimmed name', async () => {
  const [invited, closed] = [vi.fn<(link: object, name: string) => void>(), vi.fn<() => void>()];
  answer('POST /api/people/invitations', refusal({ role: ['Only owners may do that.'] }));
  show(<InviteDialog onInvited={invited} onClose={closed} />);
  expect(screen.getAllByRole('option').map(({ textContent }) => textContent?.split(':')[0])).toEqual([
    'Owner',
    'Editor',
    'Viewer',
  ]);
  await userEvent.type(screen.getByLabelText('Email'), 'lila@example.com');
  await userEvent.type(screen.getByLabelText('Name'), ' Lila ');
  await press('Invite');
  expect(await screen.findByText('Only owners may do that.')).toBeDefined();
  answer('POST /api/people/invitations', LINK);
  await press('Invite');
  await soon(() => expect(invited).toHaveBeenCalledExactlyOnceWith(LINK, 'Lila'));
  expect(sent('POST /api/people/invitations').at(-1)).toEqual({
    name: ' Lila ',
    email: 'lila@example.com',
    role: 'editor',
  });
  expect(closed).toHaveBeenCalledOnce();
  escape();
  expect(closed).toHaveBeenCalledTimes(2);
});

test('selects the whole link on focus', () => {
  show(<LinkDialog link={LINK} name="Lila" onClose={() => {}} />);
  const input = screen.getByRole<HTMLInputElement>('textbox', { name: 'Link' });
  fireEvent.focus(input);
  expect([input.selectionStart, input.selectionEnd]).toEqual([0, input.value.length]);
});

const omar = { id: 8, name: 'Omar', email: 'omar@example.com', role: 'viewer', hasSecondFactor: true };
const people = { people: [{ ...NADIA, hasSecondFactor: false }, omar], invitations: [], secondFactorRequired: false };
const RESET = 'POST /api/people/8/reset-second-factor';
const more = async (label: string) => {
  await press('More for Omar');
  await userEvent.click(await screen.findByRole('menuitem', { name: label }));
};

test('resets a second factor after a confirmation and a recent sign-in', async () => {
  answer('GET /api/people', people);
  answer('POST /api/auth/login', { user: NADIA, token: 'token-2' });
  answer(RESET, new ApiFailure('sign-in-again', 'Sign in again.'));
  show(<PeopleScreen />);
  await more('Reset second factor');
  await answerQuestion('Reset the second factor of Omar?', 'Cancel');
  await act(async () => {});
  expect(sent(RESET)).toEqual([]);
  await more('Reset second factor');
  await answerQuestion('Reset the second factor of Omar?', 'Reset');
  const dialog = within(await screen.findByRole('dialog', { name: 'Sign in to continue' }));
  answer(RESET, { message: 'Reset.' });
  fireEvent.click(dialog.getByRole('button', { name: 'Sign in' }));
  await soon(() => expect(sent(RESET)).toHaveLength(2));
  await soon(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('does nothing when the required sign-in is dismissed', async () => {
  answer('GET /api/people', people);
  answer('POST /api/people/second-factor', new ApiFailure('sign-in-again', 'Sign in again.'));
  show(<PeopleScreen />);
  await press('Require it for everyone');
  await answerQuestion('Require a second factor for everyone?', 'Require it');
  const dialog = within(await screen.findByRole('dialog', { name: 'Sign in to continue' }));
  fireEvent.click(dialog.getByRole('button', { name: 'Later' }));
  await told('error: Nothing was changed.');
  await soon(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('shows no roles and no second factor before people are loaded', async () => {
  answer('GET /api/people', never);
  show(<PeopleScreen />);
  await act(async () => {});
  expect(screen.queryByText('Second factor')).toBeNull();
  expect(screen.queryByText('Roles')).toBeNull();
});

test('returns the focus when Escape closes a menu, which opens again', async () => {
  answer('GET /api/people', people);
  show(<PeopleScreen />);
  const opener = await screen.findByRole('button', { name: 'More for Omar' });
  expect(opener.getAttribute('aria-haspopup')).toBe('menu');
  await press('More for Omar');
  await screen.findByRole('menuitem', { name: 'Remove' });
  await userEvent.keyboard('{Escape}');
  await soon(() => expect(screen.queryByRole('menu')).toBeNull());
  expect(document.activeElement?.getAttribute('aria-label')).toBe('More for Omar');
  await press('More for Omar');
  expect(await screen.findByRole('menuitem', { name: 'Remove' })).toBeDefined();
});

const day = (date: number) => new Date(2026, 10, date, 10, 42).toISOString();
const FACTORS = { passkeys: [], authenticatorSince: undefined, codesLeft: 8, required: false };

test('shows when a passkey was added and last used, and allows a long name', async () => {
  const key = { id: 'p2', name: 'Key', createdAt: day(3), usedAt: day(9) };
  answer('GET /api/security', { ...FACTORS, passkeys: [key] });
  show(<SecurityScreen />);
  const line = (await screen.findByText('Key')).closest('li');
  expect(line?.textContent).toMatch(/added 3 Nov.* · last used 9 Nov/);
  await press('Rename Key');
  const dialog = within(await screen.findByRole('dialog', { name: 'Rename the passkey' }));
  expect(dialog.getByLabelText<HTMLInputElement>('Name').maxLength).toBe(100);
});

test('counts an app alone as a second factor, without passkeys in the browser', async () => {
  vi.stubGlobal('isSecureContext', false);
  onTestFinished(() => void vi.unstubAllGlobals());
  answer('GET /api/security', { ...FACTORS, authenticatorSince: day(3) });
  show(<SecurityScreen />);
  expect(await screen.findByText('Authenticator app')).toBeDefined();
  expect(screen.getByRole('button', { name: 'Replace the authenticator app' }).textContent).toBe('Replace');
  expect(screen.queryByRole('button', { name: 'Add a passkey' })).toBeNull();
});

test('describes each switch by the note below it', () => {
  show(<PreferencesScreen />);
  const notes = screen.getAllByRole('checkbox').map((box) => {
    const note = document.getElementById(box.getAttribute('aria-describedby') ?? '');
    return [box.getAttribute('aria-label'), note?.textContent];
  });
  expect(notes).toEqual([
    ['Compact rows', 'Shows more records at once, in lists without pictures.'],
    ['Large touch', 'Larger text, buttons and rows, for gloves.'],
    ['Left-handed', 'Puts Create and the selection bar within reach of the left thumb.'],
  ]);
});

const here = {
  id: 's1',
  device: 'Safari on iPhone',
  address: '',
  signedInAt: day(3),
  lastSeenAt: day(9),
  waiting: 1,
  isThis: true,
};

test('shows this device’s waiting changes, and no sign-out when it is the only one', async () => {
  answer('GET /api/sessions', [here]);
  show(<SessionsScreen />);
  const line = await within(await screen.findByRole('region', { name: 'Sessions' })).findByRole('listitem');
  expect(line.textContent).toMatch(/In use now · signed in 3 Nov.* · 1 change waiting there$/);
  expect(line.querySelector('[data-testid="TabletAndroidOutlinedIcon"]')).not.toBeNull();
  expect(screen.queryByRole('button')).toBeNull();
});

test('ends no session when the confirmation is cancelled', async () => {
  answer('GET /api/sessions', [here, { ...here, id: 's2', isThis: false }]);
  show(<SessionsScreen />);
  await press('Log out everywhere else');
  await answerQuestion('Log out everywhere else?', 'Cancel');
  await act(async () => {});
  expect(sent('POST /api/sessions/end-others')).toEqual([]);
});

function Elsewhere() {
  return <p>{`by ${useNavigationType()}`}</p>;
}

test('does not lead an invited person into the session of another user on the device', async () => {
  answer('POST /api/link/look', { purpose: 'invitation', name: 'Omar', email: 'omar@example.com' });
  answer('POST /api/link/take', { message: 'Welcome aboard.' });
  openWelcome();
  await press('Set password');
  expect(await screen.findByRole('heading', { name: 'Nadia Rahman is signed in on this device' })).toBeDefined();
  expect(screen.getByText('Log out there, then sign in as omar@example.com.')).toBeDefined();
});

test('replaces the used link in the history, and reports a missing name and a slow connection', async () => {
  answer('POST /api/link/look', { purpose: 'invitation', name: 'Omar', email: 'omar@example.com' });
  answer('POST /api/link/take', refusal({ name: ['Needed.'] }));
  useSession.setState({ user: undefined, token: undefined } as never);
  openWelcome();
  await press('Set password');
  expect(await screen.findByText('Needed.')).toBeDefined();
  expect(screen.getByLabelText('Name').getAttribute('aria-invalid')).toBe('true');
  let taken = (_answer: object) => {};
  answer('POST /api/link/take', new Promise((resolve) => (taken = resolve)));
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  fireEvent.click(screen.getByRole('button', { name: 'Set password' }));
  const slow = () => screen.queryByText('The connection is slow. Still trying…');
  expect(slow()).toBeNull();
  act(() => void vi.advanceTimersByTime(8100));
  expect(slow()).not.toBeNull();
  await act(async () => taken({ message: 'Welcome aboard.' }));
  await act(async () => {});
  expect(screen.getByText('by REPLACE')).toBeDefined();
});
