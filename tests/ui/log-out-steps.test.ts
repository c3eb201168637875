import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { signOut } from '../../src/api/auth.ts';
import { countKept, hasBackups, isSharedDevice, removeKept } from '../../src/api/kept.ts';
import { outbox } from '../../src/api/outbox.ts';
import { logOut } from '../../src/app/log-out/log-out.ts';
import { useConnection } from '../../src/stores/connection.ts';
import { useNotifications } from '../../src/stores/notifications.ts';
import { useServerAbilities } from '../../src/stores/server-abilities.ts';
import { useSession } from '../../src/stores/session.ts';
import { hasUnsavedWork, setUnsaved } from '../../src/stores/unsaved.ts';
import { choose, confirm } from '../../src/ui/confirm.tsx';

/** The steps of logging out in isolation: every question is answered here, and the device is a fake. */

vi.mock('../../src/api/auth.ts', () => ({ signOut: vi.fn() }));
vi.mock('../../src/api/outbox.ts', () => ({
  outbox: { waitingFor: vi.fn(), leave: vi.fn(), sendNow: vi.fn() },
  StorageFullError: class extends Error {},
  FileUnreadableError: class extends Error {},
}));
vi.mock('../../src/api/kept.ts', () => ({
  countKept: vi.fn(),
  hasBackups: vi.fn(),
  isSharedDevice: vi.fn(),
  removeKept: vi.fn(),
}));
vi.mock('../../src/ui/confirm.tsx', () => ({ confirm: vi.fn(), choose: vi.fn() }));

const steps: string[] = [];

beforeEach(() => {
  vi.useFakeTimers();
  steps.length = 0;
  useSession.setState({ user: { id: 7, name: 'Nadia', email: 'n@example.com' }, token: 'token-1', ended: false });
  useConnection.setState({ radio: true, answers: true, portal: false });
  useNotifications.getState().take();
  setUnsaved('form', false);
  vi.mocked(outbox.waitingFor).mockReset().mockResolvedValue(0);
  vi.mocked(outbox.leave)
    .mockReset()
    .mockImplementation(async () => void steps.push('left'));
  vi.mocked(outbox.sendNow).mockReset().mockResolvedValue(undefined);
  useServerAbilities.setState({ kept: true });
  vi.mocked(countKept).mockReset().mockResolvedValue(0);
  vi.mocked(isSharedDevice).mockReset().mockResolvedValue(false);
  vi.mocked(hasBackups).mockReset().mockResolvedValue(true);
  vi.mocked(removeKept)
    .mockReset()
    .mockImplementation(async () => void steps.push('removed'));
  vi.mocked(confirm).mockReset().mockResolvedValue(true);
  vi.mocked(choose).mockReset();
  vi.mocked(signOut)
    .mockReset()
    .mockImplementation(async () => {
      steps.push('signed out');
      return 'Successfully Logged Out';
    });
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
  useServerAbilities.setState({}, true);
});

const toasts = () =>
  useNotifications
    .getState()
    .take()
    .map(({ message }) => message);

test('stores the waiting changes for their administrator before the session ends', async () => {
  const left = Promise.withResolvers<undefined>();
  vi.mocked(outbox.leave).mockReturnValue(left.promise);
  const done = logOut();
  await vi.advanceTimersByTimeAsync(1000);
  expect(signOut).not.toHaveBeenCalled();
  left.resolve(undefined);
  expect(await done).toBe(true);
  expect(toasts()).toEqual(['Successfully Logged Out']);
});

test('keeps the session and says so if that cannot be stored', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  vi.mocked(outbox.leave).mockRejectedValue(new Error('closed'));
  expect(await logOut()).toBe(false);
  expect(signOut).not.toHaveBeenCalled();
  expect(toasts()[0]).toContain('You are still signed in.');
});

test('says that the session could not be ended', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  vi.mocked(signOut).mockRejectedValue(new Error('closed'));
  expect(await logOut()).toBe(false);
  expect(toasts()[0]).toContain('You are still signed in.');
});

test('does not log out if the number of waiting changes cannot be read', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  vi.mocked(outbox.waitingFor).mockRejectedValue(new Error('closed'));
  expect(await logOut()).toBe(false);
  expect(steps).toEqual([]);
  expect(toasts()[0]).toContain('You are still signed in.');
});

test('reports at once that sending failed, and does not log out', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  vi.mocked(outbox.waitingFor).mockResolvedValue(1);
  vi.mocked(outbox.sendNow).mockRejectedValue(new Error('closed'));
  vi.mocked(choose).mockResolvedValueOnce('send');
  expect(await logOut()).toBe(false);
  expect(toasts()).toEqual([expect.stringContaining('You are still signed in.')]);
  expect(choose).toHaveBeenCalledOnce();
  expect(steps).toEqual([]);
});

test('does not ask again at the sign-in about discarded work', async () => {
  setUnsaved('form', true);
  expect(await logOut()).toBe(true);
  expect(confirm).toHaveBeenCalledOnce();
  expect(hasUnsavedWork()).toBe(false);
});

test('asks about an unreachable server even if the network is up', async () => {
  useConnection.setState({ radio: true, answers: false });
  vi.mocked(confirm).mockResolvedValue(false);
  expect(await logOut()).toBe(false);
  expect(vi.mocked(confirm).mock.calls[0]?.[0].title).toBe('Log out without a connection?');
});

test('waits up to twenty seconds for the last change to be sent', async () => {
  vi.mocked(outbox.waitingFor).mockResolvedValueOnce(2).mockResolvedValue(1);
  vi.mocked(choose).mockResolvedValueOnce('send').mockResolvedValueOnce('keep');
  const done = logOut();
  await vi.advanceTimersByTimeAsync(19_500);
  expect(toasts()).toEqual([]);
  await vi.advanceTimersByTimeAsync(1000);
  expect(toasts()[0]).toBe('Not everything could be sent.');
  expect(await done).toBe(true);
  expect(outbox.leave).toHaveBeenCalledExactlyOnceWith('7', 'keep');
});

test('does not ask about changes that were sent meanwhile', async () => {
  vi.mocked(outbox.waitingFor).mockResolvedValueOnce(2).mockResolvedValueOnce(1).mockResolvedValue(0);
  vi.mocked(choose).mockResolvedValueOnce('send');
  const done = logOut();
  await vi.advanceTimersByTimeAsync(1000);
  expect(await done).toBe(true);
  expect(outbox.leave).toHaveBeenCalledExactlyOnceWith('7', 'keep');
});

test('says in the second question what is discarded, as a destructive action', async () => {
  vi.mocked(outbox.waitingFor).mockResolvedValue(1);
  vi.mocked(choose).mockResolvedValueOnce('discard');
  expect(await logOut()).toBe(true);
  expect(vi.mocked(confirm).mock.calls[0]?.[0]).toMatchObject({ title: 'Discard 1 change?', destructive: true });
  expect(outbox.leave).toHaveBeenCalledExactlyOnceWith('7', 'discard');
});

test('allows another log-out after a cancelled one', async () => {
  useConnection.setState({ radio: false });
  vi.mocked(confirm).mockResolvedValueOnce(false);
  expect(await logOut()).toBe(false);
  expect(await logOut()).toBe(true);
});

test('the questions come in this order: unsaved work, the connection, and changes that are not sent', async () => {
  setUnsaved('form', true);
  useConnection.setState({ radio: false });
  vi.mocked(outbox.waitingFor).mockResolvedValue(2);
  vi.mocked(choose).mockResolvedValueOnce('keep');
  expect(await logOut()).toBe(true);
  const asked = vi
    .mocked(confirm)
    .mock.calls.map(([{ title, cancelLabel, destructive }]) => [title, cancelLabel, destructive]);
  expect(asked).toEqual([
    ['Leave without saving?', 'Stay', true],
    ['Log out without a connection?', 'Stay signed in', true],
  ]);
  const [question] = vi.mocked(choose).mock.calls[0] ?? [];
  expect(question?.title).toBe('2 changes not sent yet');
  expect(question?.text).toBe('You can keep them on this device until you sign in again, or discard them.');
  expect(question?.choices.map(({ key, label, look }) => [key, label, look])).toEqual([
    ['stay', 'Cancel', 'plain'],
    ['discard', 'Discard', 'plain'],
    ['keep', 'Keep until I sign in', 'primary'],
  ]);
  expect(outbox.leave).toHaveBeenCalledExactlyOnceWith('7', 'keep');
});

test('does nothing without a signed-in user', async () => {
  useSession.setState({ ended: false, signInAsked: false }, true);
  expect(await logOut()).toBe(false);
  for (const step of [confirm, choose, signOut]) expect(step).not.toHaveBeenCalled();
});

test.each([
  [false, 'Keep on this device'],
  [true, 'Remove from this device'],
])(
  'asks about sent changes that are in no backup yet; by default, on a shared device (%s): %s',
  async (shared, label) => {
    vi.mocked(countKept).mockResolvedValue(3);
    vi.mocked(isSharedDevice).mockResolvedValue(shared);
    vi.mocked(choose).mockResolvedValueOnce(undefined);
    expect(await logOut()).toBe(false);
    expect(steps).toEqual([]);
    const { title, choices = [] } = vi.mocked(choose).mock.calls[0]?.[0] ?? {};
    expect(title).toBe('3 sent changes are in no backup yet');
    expect(choices.filter(({ look }) => look === 'primary').map((choice) => choice.label)).toEqual([label]);
  },
);

test.each([
  ['keep', ['left', 'signed out']],
  ['remove', ['left', 'removed', 'signed out']],
])('does what is chosen for them: %s', async (choice, done) => {
  vi.mocked(countKept).mockResolvedValue(1);
  vi.mocked(choose).mockResolvedValueOnce(choice);
  expect(await logOut()).toBe(true);
  expect(steps).toEqual(done);
});

test('asks nothing of what is kept where the server says nothing of its backups', async () => {
  useServerAbilities.setState({}, true);
  expect(await logOut()).toBe(true);
  expect([vi.mocked(countKept).mock.calls, vi.mocked(choose).mock.calls]).toEqual([[], []]);
});

test.each([
  [false, ['left', 'signed out']],
  [true, ['left', 'removed', 'signed out']],
])(
  'asks nothing where there has never been a backup: on a shared device (%s) it removes them',
  async (shared, done) => {
    vi.mocked(countKept).mockResolvedValue(3);
    vi.mocked(isSharedDevice).mockResolvedValue(shared);
    vi.mocked(hasBackups).mockResolvedValue(false);
    expect(await logOut()).toBe(true);
    expect(vi.mocked(choose)).not.toHaveBeenCalled();
    expect(steps).toEqual(done);
  },
);
