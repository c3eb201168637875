import { describe, expect, test } from 'vitest';
import { NoAnswerError } from '../../server/stores/remote/transport.ts';
import { ups } from '../../src/domain/resources/ups.ts';
import { soon } from '../harness/soon.ts';
import { CREATE, catalog, photos, settled, single, VALUES } from './gateway-ups.ts';
import { adminOf, gatewayWorld } from './gateway-world.ts';
import { withKey } from './harness.ts';

const KEY = 'key-of-a-change';
const MINUTE = 60_000;

describe('reads that lag behind', () => {
  test('do not let two tablets overwrite one another on the same version', async () => {
    const world = await gatewayWorld();
    await world.admin.post(CREATE, VALUES, [catalog, ...(await photos(1))], withKey());
    const { version } = (await world.admin.get(single(1))).json();
    world.backend.habits.replicaLag = 20_000;
    const send = (brand: string) =>
      world.admin.post(single(1), { ...VALUES, brand }, [], { ...withKey(), 'if-match': `"${version}"` });
    expect((await send('First')).statusCode).toBe(200);
    expect((await send('Second')).statusCode).toBe(412);
    expect(world.backend.rows('ups')).toMatchObject([{ brand: 'First' }]);
  });

  test('do not delete what another tablet has just edited', async () => {
    const world = await gatewayWorld();
    await world.admin.post(CREATE, VALUES, [catalog, ...(await photos(1))], withKey());
    const { version } = (await world.admin.get(single(1))).json();
    const bound = { 'if-match': `"${version}"` };
    world.backend.habits.replicaLag = 20_000;
    await world.admin.post(single(1), { ...VALUES, brand: 'First' }, [], { ...withKey(), ...bound });
    const answer = await world.admin.order(`${ups.endpoints.delete}/1`, { ...withKey(), ...bound });
    expect([answer.statusCode, world.backend.rows('ups').length]).toEqual([412, 1]);
  });

  test('let the next edit pass once they have caught up', async () => {
    const world = await gatewayWorld();
    await world.admin.post(CREATE, VALUES, [catalog, ...(await photos(1))], withKey());
    world.backend.habits.replicaLag = 20_000;
    await world.admin.post(single(1), { ...VALUES, brand: 'First' }, [], withKey());
    void world.clock.pass(21_000);
    const { version, brand } = (await world.admin.get(single(1))).json();
    const bound = { ...withKey(), 'if-match': `"${version}"` };
    expect([brand, (await world.admin.post(single(1), { ...VALUES, brand: 'Second' }, [], bound)).statusCode]).toEqual([
      'First',
      200,
    ]);
  });
});

describe.each(['redirect', 'page'] as const)('a session that ends as a %s', (endsSessionsBy) => {
  test('is told to its sender as signed out, and lets others go on', async () => {
    const world = await gatewayWorld({ habits: { endsSessionsBy } });
    const files = [catalog, ...(await photos(1))];
    world.link.faults.push('lost');
    await world.admin.post(CREATE, VALUES, files, withKey(KEY));
    await world.logOut();
    const other = adminOf(world.app, await world.signIn('second@example.com'));
    expect((await other.get('/api/feed')).statusCode).toBe(200);
    const key = withKey();
    await soon(async () => {
      void world.clock.pass(MINUTE);
      expect((await other.post(CREATE, { ...VALUES, brand: 'Other' }, files, key)).statusCode).toBe(200);
    }, 5);
    expect((await world.admin.post(CREATE, VALUES, files, withKey())).statusCode).toBe(401);
  });

  test('is renewed, and the change goes on', async () => {
    const world = await gatewayWorld({ habits: { endsSessionsBy } });
    world.link.faults.push(async (carryOut) => {
      await carryOut();
      world.link.insteadOfRead = (path) => (path.startsWith('/api/get-') ? signedOut(endsSessionsBy) : undefined);
      throw new NoAnswerError('The answer was lost.');
    });
    await world.admin.post(CREATE, VALUES, [catalog, ...(await photos(1))], withKey(KEY));
    world.link.insteadOfRead = () => undefined;
    const admin = adminOf(world.app, await world.signIn());
    expect((await settled({ ...world, admin }, KEY)).statusCode).toBe(200);
    expect(world.backend.rows('ups')).toHaveLength(1);
  });
});

async function signedOut(as: 'redirect' | 'page') {
  const isPage = as === 'page';
  return {
    status: isPage ? 200 : 302,
    headers: { 'content-type': 'text/html', ...(isPage ? {} : { location: 'https://back-end.test/login' }) },
    cookies: [],
    body: Buffer.from(isPage ? '<form><input type="password" name="password"></form>' : ''),
  };
}

describe('pictures that cannot be read back', () => {
  test.each(['redirects', 'forbids', 'page', 'missing'] as const)(
    'do not keep a lost answer open for good (%s)',
    async (uploads) => {
      const world = await gatewayWorld({ habits: { uploads } });
      world.link.faults.push('unanswered');
      const answer = await world.admin.post(CREATE, VALUES, [catalog, ...(await photos(2))], withKey(KEY));
      expect([answer.statusCode, answer.json().id]).toEqual([200, 1]);
      world.link.faults.push('unanswered');
      const edit = await world.admin.post(
        single(1),
        { ...VALUES, brand: 'New' },
        (await photos(5)).slice(2),
        withKey(),
      );
      expect([edit.statusCode, world.backend.images('ups', 1).length, world.backend.rows('ups').length]).toEqual([
        200, 5, 1,
      ]);
    },
  );
});

test('a user whose id is a UUID makes changes like any other', async () => {
  const world = await gatewayWorld();
  const user = { id: '9b2d6f0e-3c1a-4e55-8f7a-2b9c1d0e4f6a', name: 'Admin' };
  world.link.insteadOfRead = (path) =>
    path === '/api/user'
      ? Promise.resolve({
          status: 200,
          headers: { 'content-type': 'application/json' },
          cookies: [],
          body: Buffer.from(JSON.stringify(user)),
        })
      : undefined;
  const files = [catalog, ...(await photos(1))];
  const send = async () => (await world.admin.post(CREATE, VALUES, files, withKey(KEY))).json();
  expect([await send(), await send()]).toMatchObject([{ id: 1 }, { id: 1 }]);
});
