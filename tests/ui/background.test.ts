import { beforeEach, expect, test, vi } from 'vitest';
import { soon } from '../harness/soon.ts';
import { leavePage } from './shared-page.ts';

/** What the page has started, in order. */
const begun = vi.hoisted(() => [] as string[]);
const fails = vi.hoisted(() => ({ refreshUser: undefined as Error | undefined }));
const notes = vi.hoisted(
  () => (names: readonly string[]) => () =>
    Object.fromEntries(
      names.map((name) => [
        name,
        async () => {
          begun.push(name);
          if (name === 'refreshUser' && fails.refreshUser !== undefined) throw fails.refreshUser;
        },
      ]),
    ),
);
vi.mock('../../src/api/auth.ts', notes(['keepStoredSession', 'refreshUser']));
vi.mock('../../src/api/device.ts', () => ({
  device: async () => ({ noticeLoss: async () => void begun.push('noticeLoss') }),
}));
vi.mock('../../src/api/feed.ts', () => ({ followFeedOfTabs: () => void begun.push('followFeedOfTabs') }));
vi.mock(
  '../../src/api/revalidation.ts',
  notes(['followAnswers', 'followConfirmed', 'followSignedOutSender', 'probeServer', 'refreshOnReturn']),
);
vi.mock('../../src/api/settings.ts', notes(['refreshSettings']));
vi.mock('../../src/api/sources.ts', notes(['adoptTaken']));
vi.mock('../../src/api/prefetch.ts', notes(['warmDevice']));
vi.mock('../../src/api/worker-bridge.ts', notes(['startSender']));
vi.mock('../../src/api/live-feed.ts', notes(['stayUpToDate']));
vi.mock('../../src/resource/list/keep-pictures.ts', notes(['keepListPictures']));
vi.mock('../../src/resource/catalogues/keep.ts', notes(['followCatalogues']));
vi.mock('../../src/app/scan/read-code.ts', notes(['bringCodeReader']));
vi.mock('../../src/ui/picture.tsx', notes(['retryPictures']));
vi.mock('../../src/app/badge.ts', notes(['followBadge']));
vi.mock('../../src/app/leaving.ts', notes(['guardUnload']));
vi.mock('../../src/ui/when-idle.ts', () => ({ whenIdle: (work: () => void) => void setTimeout(work, 0) }));

/** A page that was just loaded, signed in or not. Subscriptions of an earlier page have no effect. */
async function load(signedIn = true) {
  vi.resetModules();
  const { useSession } = await import('../../src/stores/session.ts');
  const { useConnection } = await import('../../src/stores/connection.ts');
  useConnection.setState({ radio: true, answers: true, portal: false });
  useSession.setState({ ...(signedIn && { token: 'token-1' }), ended: false, signInAsked: false }, true);
  const { startBackground } = await import('../../src/app/background.ts');
  return { startBackground, useSession, useConnection };
}

beforeEach(async () => {
  // the previous page begins nothing any more: neither what it has deferred, nor what follows on code that it is loading
  leavePage();
  await vi.dynamicImportSettled();
  leavePage();
  begun.length = 0;
  fails.refreshUser = undefined;
});

const has = (...names: readonly string[]) => soon(() => expect(begun).toEqual(expect.arrayContaining([...names])));

test('follows everything that may change outside the page from the start', async () => {
  const { startBackground } = await load();
  startBackground(new Promise(() => {}));
  const names = ['followFeedOfTabs', 'guardUnload', 'followConfirmed', 'refreshOnReturn'];
  expect(begun).toEqual([...names, 'probeServer', 'followAnswers', 'followSignedOutSender', 'followBadge']);
  await has('bringCodeReader');
});

test('loads settings, confirms the user and prepares the device once idle, one after the other', async () => {
  const { startBackground } = await load();
  startBackground(new Promise(() => {}));
  await has('refreshSettings', 'bringCodeReader');
  const inTurn = [
    'refreshUser',
    'warmDevice',
    'stayUpToDate',
    'followCatalogues',
    'keepListPictures',
    'bringCodeReader',
  ];
  expect(begun.filter((name) => inTurn.includes(name))).toEqual(inTurn);
});

test('keeps the stored user and prepares the device when the user request fails', async () => {
  const { startBackground } = await load();
  const { ApiFailure } = await import('../../src/api/failure.ts');
  fails.refreshUser = new ApiFailure('unreachable', 'Can’t reach the server.');
  startBackground(new Promise(() => {}));
  await has('refreshUser', 'warmDevice', 'bringCodeReader');
});

test('sends nothing before the device knows who is signed in, and then also checks for lost data', async () => {
  const recovered = Promise.withResolvers<boolean>();
  const { startBackground } = await load();
  startBackground(recovered.promise);
  await has('bringCodeReader');
  expect(begun).not.toContain('startSender');
  recovered.resolve(true);
  await has('startSender', 'noticeLoss');
  expect(begun).not.toContain('keepStoredSession');
});

test('stores the session of an older version before sending on a device that was never used', async () => {
  const { startBackground } = await load();
  startBackground(Promise.resolve(false));
  await has('startSender', 'noticeLoss', 'bringCodeReader');
  expect(begun.indexOf('keepStoredSession')).toBeGreaterThan(-1);
  expect(begun.indexOf('keepStoredSession')).toBeLessThan(begun.indexOf('startSender'));
});

test('requests no user without a session, and prepares the device after every later sign-in', async () => {
  const { startBackground, useSession } = await load(false);
  startBackground(new Promise(() => {}));
  await has('bringCodeReader');
  expect(begun).not.toContain('refreshUser');
  begun.length = 0;
  for (const token of ['token-2', 'token-3']) {
    useSession.setState({ token });
    await has('warmDevice', 'stayUpToDate', 'bringCodeReader');
    begun.length = 0;
  }
  useSession.setState({ signInAsked: true });
  useSession.setState({ token: 'token-4' });
  await has('warmDevice', 'stayUpToDate', 'bringCodeReader');
  expect(begun.filter((name) => name === 'warmDevice')).toHaveLength(1);
});

test('loads the database code on a device that was never used only once the first screen is idle', async () => {
  const { startBackground } = await load();
  startBackground(Promise.resolve(false));
  await Promise.resolve();
  await Promise.resolve();
  await Promise.resolve();
  expect(begun).not.toContain('keepStoredSession');
  await has('keepStoredSession', 'startSender', 'bringCodeReader');
});

test('requests missing pictures again when the connection returns', async () => {
  const { startBackground, useConnection } = await load();
  startBackground(new Promise(() => {}));
  useConnection.setState({ answers: false });
  expect(begun).not.toContain('retryPictures');
  useConnection.setState({ answers: true });
  expect(begun).toContain('retryPictures');
  await has('bringCodeReader');
});
