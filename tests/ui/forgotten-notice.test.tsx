import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { letForgottenGo, sendAgain } from '../../src/api/kept.ts';
import ForgottenNotice from '../../src/features/outbox/forgotten-notice.tsx';
import { KeptSection } from '../../src/features/outbox/kept-section.tsx';
import type { KeptEntry, KeptState } from '../../src/offline/kept/kept.ts';
import { useNotifications } from '../../src/stores/notifications.ts';
import { useServerAbilities } from '../../src/stores/server-abilities.ts';
import { useSession } from '../../src/stores/session.ts';
import { ConfirmHost } from '../../src/ui/confirm.tsx';
import { creating, entryOf, NOW } from '../domain/outbox/samples.ts';

const DAY = 24 * 60 * 60_000;
const NOTHING: KeptState = { forgotten: [], count: 0, bytes: 0, textsOnly: 0 };
const device = vi.hoisted(() => ({ kept: undefined as unknown }));

vi.mock('../../src/api/live-kept.ts', () => ({ useKept: () => device.kept }));
vi.mock('../../src/api/kept.ts', () => ({ sendAgain: vi.fn(), letForgottenGo: vi.fn() }));
vi.mock('../../src/api/outbox.ts', () => ({
  StorageFullError: class extends Error {},
  FileUnreadableError: class extends Error {},
}));

beforeEach(() => {
  useSession.setState({ user: { id: 7, name: 'Nadia', email: 'n@example.com' }, token: 'token-1', ended: false });
  useNotifications.getState().take();
  vi.mocked(sendAgain).mockReset().mockResolvedValue(2);
  vi.mocked(letForgottenGo).mockReset().mockResolvedValue(undefined);
});

afterEach(() => {
  cleanup();
  useServerAbilities.setState({}, true);
});

/** A change that was confirmed this many days ago. */
const forgotten = (daysAgo: number, title = 'Acme') =>
  entryOf(creating(), {
    title,
    state: 'done',
    receipt: { at: NOW - daysAgo * DAY, message: '', kept: 'whole', forgotten: true },
  }) as KeptEntry;

function show(state: Partial<KeptState>) {
  device.kept = { ...NOTHING, ...state };
  render(
    <>
      <ForgottenNotice now={NOW} />
      <ConfirmHost />
    </>,
  );
}

test.each([
  [[0], '1 change of today is not on the server any more.'],
  [[1, 1], '2 changes of yesterday are not on the server any more.'],
  [[3, 3], '2 changes of Tuesday are not on the server any more.'],
  [[0, 3], '2 changes since Tuesday are not on the server any more.'],
  [[20], /^1 change since .*31.* is not on the server any more\.$/],
])('says of which day the forgotten changes are: %j', (days, words) => {
  show({ forgotten: days.map((daysAgo) => forgotten(daysAgo)) });
  expect(screen.getByRole('heading', { name: words })).toBeTruthy();
});

test('names them, and counts the rest', () => {
  show({ forgotten: Array.from({ length: 7 }, (_, i) => forgotten(0, `Record ${i}`)) });
  const lines = screen.getAllByRole('listitem').map(({ textContent }) => textContent);
  expect(lines).toHaveLength(6);
  expect([lines[0], lines[5]]).toEqual([expect.stringContaining('Record 0'), 'and 2 more']);
});

test('sends them again with one press', async () => {
  show({ forgotten: [forgotten(0), forgotten(0)] });
  await userEvent.click(screen.getByRole('button', { name: 'Send again' }));
  expect(sendAgain).toHaveBeenCalledExactlyOnceWith('7');
  const told = useNotifications.getState().take();
  expect(told.map(({ message }) => message)).toEqual(['2 changes are on the way again.']);
});

test('leaves them out only after a question', async () => {
  show({ forgotten: [forgotten(0)] });
  await userEvent.click(screen.getByRole('button', { name: 'Leave them out' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Cancel' }));
  expect(letForgottenGo).not.toHaveBeenCalled();
  await userEvent.click(screen.getByRole('button', { name: 'Leave them out' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Leave out' }));
  expect(letForgottenGo).toHaveBeenCalledExactlyOnceWith('7');
});

test('shows nothing while nothing is forgotten', () => {
  show({});
  expect(document.querySelector('section')).toBeNull();
});

test.each<[string, Partial<KeptState>, string]>([
  ['nothing', {}, 'Everything that was sent from this device is in a backup of the server.'],
  ['texts', { count: 1, since: NOW }, 'is in no backup of the server yet. A copy stays on this device until then.'],
  ['files', { count: 2, since: NOW, bytes: 3_400_000 }, 'until then, with 3.4 MB of photos and files.'],
  ['what had to give way', { count: 2, since: NOW, textsOnly: 1 }, 'The files of 1 of them had to give way.'],
])('the outbox says what it keeps: %s', (_, state, words) => {
  useServerAbilities.setState({ kept: true });
  device.kept = { ...NOTHING, ...state };
  render(<KeptSection now={NOW} />);
  expect(screen.getByRole('region', { name: 'Kept until backed up' }).textContent).toContain(words);
});

test('the outbox says nothing of it where the server says nothing of its backups', () => {
  device.kept = NOTHING;
  render(<KeptSection now={NOW} />);
  expect(document.querySelector('section')).toBeNull();
});
