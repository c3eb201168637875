import 'fake-indexeddb/auto';
import { act, cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { MemoryRouter } from 'react-router-dom';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ErrorBoundary } from '../../src/app/error-boundary.tsx';
import FindDialog from '../../src/app/find/find-dialog.tsx';
import { recentFinds, recordFinds, screenFinds } from '../../src/app/find/finds.ts';
import { useFinds } from '../../src/app/find/use-finds.ts';
import HelpDialog from '../../src/app/help/help-dialog.tsx';
import NotifyHost from '../../src/app/notify.tsx';
import { PlainNotice } from '../../src/app/plain-notice.tsx';
import ScanDialog from '../../src/app/scan/scan-dialog.tsx';
import AccountLinks from '../../src/app/shell/account-links.tsx';
import { Navigation } from '../../src/app/shell/navigation.tsx';
import { Rail } from '../../src/app/shell/rail.tsx';
import { statusOf } from '../../src/app/shell/status-words.ts';
import { StorageNotice } from '../../src/app/shell/storage-notice.tsx';
import { TopBar } from '../../src/app/shell/top-bar.tsx';
import UpdatePrompt from '../../src/app/update-prompt.tsx';
import { resourceOf } from '../../src/domain/resources/index.ts';
import { useCamera } from '../../src/fields/photos/camera/use-camera.ts';
import { catalogue as pseudo } from '../../src/language/pseudo.ts';
import { speak } from '../../src/language/t.ts';
import { noteUpdate } from '../../src/stores/app-update.ts';
import { notify } from '../../src/stores/notifications.ts';
import { useServerAbilities } from '../../src/stores/server-abilities.ts';
import { useSession } from '../../src/stores/session.ts';
import { useSettings } from '../../src/stores/settings.ts';
import { noteStorage } from '../../src/stores/storage-health.ts';
import { setUnsaved } from '../../src/stores/unsaved.ts';
import { plainWords, untranslated } from './untranslated.ts';

/** Every text around the screens is translated. The names here have no letter that the pseudo-language accents. */

vi.mock('../../src/app/find/use-finds.ts', () => ({ useFinds: vi.fn(() => []) }));
vi.mock('../../src/fields/photos/camera/use-camera.ts', () => ({ useCamera: vi.fn(() => 'on') }));
vi.mock('../../src/app/scan/use-codes.ts', () => ({ useCodesOf: vi.fn(), useCodeIn: vi.fn() }));

const nothing = vi.fn();

beforeEach(() => {
  speak(pseudo);
  useSettings.setState({ brandLabel: 'Vld', companyLabel: 'Grb', locationLine: '' });
  useServerAbilities.setState({ people: true, secondFactor: true } as never);
  useSession.setState({ user: { id: 7, name: 'Brt', role: 'owner' }, token: 'token-1', ended: false });
});
afterEach(async () => {
  cleanup();
  speak(undefined);
  setUnsaved('form', false);
  noteStorage(false);
  noteUpdate('none');
  vi.restoreAllMocks();
  await vi.dynamicImportSettled();
});

const show = (content: ReactNode) => render(<MemoryRouter>{content}</MemoryRouter>);

function Broken({ message }: { message: string }): ReactNode {
  throw new Error(message);
}

test.each([
  ['the navigation of a tablet', () => <Rail onOpen={nothing} />],
  ['the links of the account', () => <AccountLinks name="Brt" compact onLogOut={nothing} onClose={nothing} />],
  ['the top bar', () => <TopBar onNavigation={nothing} />],
  ['Help', () => <HelpDialog onClose={nothing} />],
])('translates %s', (_, content) => {
  show(content());
  expect(untranslated()).toEqual([]);
});

test('translates the sidebar, with its groups open', async () => {
  show(<Navigation />);
  for (const button of screen.getAllByRole('button', { expanded: false })) await userEvent.click(button);
  expect(untranslated()).toEqual([]);
});

test('translates Find, with and without results', async () => {
  const inverters = resourceOf('grid-tie-inverters');
  const record = { id: 4, brand: 'Grb', model: 'Mk', type: 'Three Phase', capacity: '4 W' };
  const finds = [
    ...screenFinds({ mayEdit: true, own: true, manages: true }),
    ...recordFinds(inverters, [record]),
    ...recentFinds([{ label: 'Grb', to: '/gti-edit/4' }]),
  ];
  expect(finds.flatMap(({ label, kind, facts = '' }) => [label, kind, facts].flatMap(plainWords))).toEqual([]);
  vi.mocked(useFinds).mockReturnValue(finds.slice(0, 5));
  show(<FindDialog begin="" onClose={nothing} />);
  expect(untranslated()).toEqual([]);
  await userEvent.type(screen.getByRole('searchbox'), 'xx');
  expect(untranslated()).toEqual([]);
});

test.each(['asked', 'on', 'none'] as const)('translates the search by a code, with the camera %s', (camera) => {
  vi.mocked(useCamera).mockReturnValue(camera);
  show(<ScanDialog onClose={nothing} />);
  expect(untranslated()).toEqual([]);
});

test.each(['import', 'other'])('translates a screen that fails: %s', (message) => {
  vi.spyOn(console, 'error').mockReturnValue();
  vi.stubGlobal('fetch', async () => Promise.reject(new TypeError('No link.')));
  show(
    <ErrorBoundary occasion="/">
      <Broken message={message} />
    </ErrorBoundary>,
  );
  expect(untranslated()).toEqual([]);
  vi.unstubAllGlobals();
});

test.each(['waiting', 'taken', 'taking'] as const)('translates a new version that is %s', (state) => {
  noteUpdate(state);
  show(<UpdatePrompt />);
  expect(untranslated()).toEqual([]);
  act(() => setUnsaved('form', true));
  expect(untranslated()).toEqual([]);
});

test('translates the notice of unresponsive storage', () => {
  noteStorage(true);
  show(<StorageNotice />);
  expect(screen.getByRole('alert').textContent).not.toBe('');
  expect(untranslated()).toEqual([]);
});

test.each([
  ['a toast', () => <NotifyHost />],
  ['a message without the code of toasts', () => <PlainNotice />],
])('translates %s', async (_, host) => {
  show(host());
  await act(async () => notify('Partner Created Successfully', { kind: 'success' }));
  await screen.findByText(/⟦/);
  expect(untranslated()).toEqual([]);
});

test('translates each status', () => {
  const facts = { radio: true, online: true, sessionEnded: false, waiting: 2, needAttention: 0 };
  const words = [
    facts,
    { ...facts, online: false, needAttention: 1 },
    { ...facts, lost: true },
    { ...facts, sessionEnded: true },
    { ...facts, portal: true },
    { ...facts, unsure: true },
    { ...facts, forWifi: 2 },
    { ...facts, sending: { current: 1, total: 2, share: 0.5 } },
    { ...facts, needAttention: 2 },
  ].map((situation) => statusOf(situation).words);
  expect(words.flatMap(plainWords)).toEqual([]);
});
