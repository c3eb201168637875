import { describe, expect, test } from 'vitest';
import { enqueue } from '../../src/offline/page-saves.ts';
import { pendingEntries } from '../../src/offline/outbox/queries.ts';
import { LoggedOutError } from '../../src/offline/storage/errors.ts';
import { forgetSession, rememberSession } from '../../src/offline/storage/session.ts';
import { Device } from './support/device.ts';

const testEnvironment = () => new Device({} as never).environment();

const session = (administrator: string) => ({
  administrator,
  name: administrator,
  token: `token-${administrator}`,
  rememberAcrossRestarts: true,
});
const draft = { op: 'create', resource: 'partners', values: { name: 'Acme' }, files: [] } as const;
const about = { administrator: '7', title: 'Acme' };

describe('a save of a page', () => {
  test('is stored before anybody’s sign-in is known, and for the user who is signed in', async () => {
    const here = testEnvironment();
    await expect(enqueue(here, draft, about)).resolves.toBeDefined();
    await rememberSession(session('7'), here);
    await enqueue(here, draft, about);
    expect(await pendingEntries(here)).toHaveLength(2);
  });

  test('is stored after the session has expired: the user may sign in later', async () => {
    const here = testEnvironment();
    await rememberSession(session('7'), here);
    await forgetSession(here, { expired: true });
    await expect(enqueue(here, draft, about)).resolves.toBeDefined();
  });

  test.each([
    ['after a log-out', async () => undefined],
    ['once somebody else is signed in', (here: never) => rememberSession(session('8'), here)],
  ])('is refused %s, so that nothing leaves in the name of one who has left', async (_, then) => {
    const here = testEnvironment();
    await rememberSession(session('7'), here);
    await forgetSession(here);
    await then(here as never);
    await expect(enqueue(here, draft, about)).rejects.toBeInstanceOf(LoggedOutError);
  });
});
