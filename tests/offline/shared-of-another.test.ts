import 'fake-indexeddb/auto';
import { expect, test, vi } from 'vitest';
import { keepShared, readShared } from '../../src/offline/drafts/shared-photos.ts';
import { removeCopies } from '../../src/offline/cache/cache.ts';

test('photos that one administrator shared are not shown to the next one on this device', async () => {
  vi.stubGlobal('location', { origin: 'https://voltdesk.test' });
  const { rememberSession, forgetSession } = await import('../../src/offline/storage/session.ts');
  const session = (administrator: string) => ({
    administrator,
    name: administrator,
    token: `t${administrator}`,
    rememberAcrossRestarts: true,
  });
  await rememberSession(session('7'));
  await keepShared([new File(['private'], 'anna-private.png', { type: 'image/png' })], 1);
  // everything that logging out and another sign-in do on this device (src/api/auth.ts: signOut, keepSession)
  await forgetSession();
  await removeCopies();
  await rememberSession(session('8'));
  expect((await readShared())?.files.map(({ name }) => name) ?? []).toEqual([]);
  vi.unstubAllGlobals();
});
