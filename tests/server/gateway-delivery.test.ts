import { describe, expect, test } from 'vitest';
import { ups } from '../../src/domain/resources/ups.ts';
import { answerOf } from '../harness/back-link.ts';
import { CREATE, catalog, hashes, photos, settled, single, VALUES, type World } from './gateway-ups.ts';
import { adminOf, gatewayWorld, LONGEST_REQUEST } from './gateway-world.ts';
import { formOf, withKey } from './harness.ts';
import { filesFor, picture } from './samples.ts';

const DELETE = `${ups.endpoints.delete}/1`;

/** A create of that many photos, confirmed by the back end while its id cannot be read. Then someone removes the row there. */
async function confirmedAndRemoved(count: number): Promise<World> {
  const world = await gatewayWorld();
  world.link.faults.push(async (carryOut) => {
    const answer = await carryOut();
    world.link.isDown = true;
    return answer;
  });
  const files = [catalog, ...(await photos(count))];
  const answer = await world.admin.post(CREATE, VALUES, files, withKey('key-of-a-create'));
  expect([answer.statusCode, answer.json().code]).toEqual([409, 'in-flight']);
  await world.elsewhere(DELETE);
  world.link.isDown = false;
  return world;
}

describe('a create confirmed by the back end', () => {
  test('is not repeated when its row is gone before its id was read', async () => {
    const world = await confirmedAndRemoved(1);
    const answer = await settled(world, 'key-of-a-create', LONGEST_REQUEST);
    expect(answer.json()).toEqual({ message: 'Ups Created Successfully' });
    expect([world.link.posts.length, world.backend.rows('ups')]).toEqual([1, []]);
  });

  test('is not repeated by a restarted gateway either', async () => {
    const world = await confirmedAndRemoved(1);
    await world.app.close();
    const again = { ...world, admin: adminOf(await world.start(), world.token) };
    const answer = await settled(again, 'key-of-a-create', LONGEST_REQUEST);
    expect(answer.json()).toEqual({ message: 'Ups Created Successfully' });
    expect([world.link.posts.length, world.backend.rows('ups')]).toEqual([1, []]);
  });

  test('is done without its remaining photos when its row is gone', async () => {
    const world = await confirmedAndRemoved(30);
    expect((await settled(world, 'key-of-a-create', LONGEST_REQUEST)).statusCode).toBe(200);
    expect([world.link.posts.length, world.backend.rows('ups')]).toEqual([1, []]);
  });
});

describe('a change in several parts', () => {
  test('binds only its first part to the version seen, since later parts follow the first one’s result', async () => {
    const world = await gatewayWorld();
    await world.admin.post(CREATE, VALUES, [catalog, ...(await photos(1))]);
    const { version } = (await world.admin.get(single(1))).json();
    const bound = { ...withKey(), 'if-match': `"${version}"` };
    const answer = await world.admin.post(single(1), { ...VALUES, brand: 'New' }, (await photos(31)).slice(1), bound);
    expect(answer.statusCode).toBe(200);
    expect([hashes(world).length, world.backend.rows('ups')[0]?.['brand']]).toEqual([31, 'New']);
  });

  test('names the duplicate of its first part, even when the answer to the next part is lost', async () => {
    const { admin, link } = await gatewayWorld();
    link.faults.push('twice', 'unanswered');
    const answer = await admin.post(CREATE, VALUES, [catalog, ...(await photos(30))], withKey());
    expect(answer.json()).toMatchObject({ id: 1, duplicates: [2] });
  });

  test('is done when someone removes the record between two parts', async () => {
    const world = await gatewayWorld();
    world.link.faults.push(undefined, async () => {
      await world.elsewhere(DELETE);
      return answerOf(404, { message: 'Not found.' })();
    });
    const answer = await world.admin.post(CREATE, VALUES, [catalog, ...(await photos(30))], withKey());
    expect([answer.statusCode, answer.json().id, world.backend.rows('ups')]).toEqual([200, 1, []]);
  });

  test('delivers its other photos later if a page with 404 answers one part', async () => {
    const world = await gatewayWorld();
    world.link.faults.push(undefined, answerOf(404, '<h1>Not Found</h1>'));
    const answer = await world.admin.post(CREATE, VALUES, [catalog, ...(await photos(30))], withKey('key-of-a-create'));
    expect([answer.statusCode, answer.json().code]).toEqual([409, 'in-flight']);
    expect((await settled(world, 'key-of-a-create', LONGEST_REQUEST)).json()).toMatchObject({ id: 1 });
    expect(hashes(world)).toHaveLength(30);
  });

  test.each([200, 404])('is not rolled back by a page with %i: the gateway tries again', async (status) => {
    const world = await gatewayWorld();
    const bad = { field: 'images[]', bytes: await picture('webp'), name: 'x.webp', type: 'image/webp' };
    world.link.faults.push(undefined, undefined, answerOf(status, '<h1>Maintenance</h1>'));
    const files = [catalog, ...(await photos(30)), bad];
    const answer = await world.admin.post(CREATE, VALUES, files, withKey('key-of-a-create'));
    expect([answer.statusCode, answer.json().code]).toEqual([409, 'in-flight']);
    expect((await settled(world, 'key-of-a-create')).statusCode).toBe(404);
    expect(world.backend.rows('ups')).toEqual([]);
  });

  test('is refused when the part to roll back is already gone', async () => {
    const world = await gatewayWorld();
    const bad = { field: 'images[]', bytes: await picture('webp'), name: 'x.webp', type: 'image/webp' };
    world.link.faults.push(undefined, undefined, answerOf(404, { message: 'Not found.' }));
    const answer = await world.admin.post(CREATE, VALUES, [catalog, ...(await photos(30)), bad], withKey());
    expect(answer.statusCode).toBe(422);
  });
});

describe('an answer that passed an intermediary', () => {
  test.each(['the read before it', 'the change itself'])(
    'does not confirm a delete if it is a page with 404: %s',
    async (asked) => {
      const { admin, link, backend } = await gatewayWorld();
      await admin.post(CREATE, VALUES, await filesFor(ups));
      const page = answerOf(404, '<h1>Not Found</h1>');
      if (asked === 'the change itself') link.faults.push(page);
      else link.insteadOfRead = page;
      const answer = await admin.order(DELETE, withKey('key-of-a-delete'));
      expect([answer.statusCode, answer.json().code, answer.headers['retry-after']]).toEqual([
        503,
        'back-end-away',
        '5',
      ]);
      link.insteadOfRead = () => undefined;
      expect((await admin.order(DELETE, withKey('key-of-a-delete'))).statusCode).toBe(200);
      expect(backend.rows('ups')).toEqual([]);
    },
  );

  test.each(['<h1>Not Found</h1>', { message: 'Not found.' }])(
    'is a back end that is away if it knows no sign-in: %j',
    async (body) => {
      const { admin, link } = await gatewayWorld();
      link.insteadOfRead = answerOf(404, body);
      const answer = await admin.order(DELETE, withKey());
      expect([answer.statusCode, answer.json().code]).toEqual([503, 'back-end-away']);
    },
  );

  test('reveals nothing about a change that arrived if it is a page with 503', async () => {
    const { admin, link, backend } = await gatewayWorld();
    link.faults.push(async (carryOut) => {
      await carryOut();
      return answerOf(503, '<h1>Service Unavailable</h1>')();
    });
    const answer = await admin.post(CREATE, VALUES, await filesFor(ups), withKey());
    expect([answer.statusCode, answer.json().id, backend.rows('ups').length]).toEqual([200, 1, 1]);
  });

  test.each([408, 502, 504])('leaves the outcome open even as JSON (%i)', async (status) => {
    const { admin, link } = await gatewayWorld();
    link.faults.push(answerOf(status, { message: 'Nobody knows' }));
    const answer = await admin.post(CREATE, VALUES, await filesFor(ups), withKey());
    expect([answer.statusCode, answer.json().code]).toEqual([409, 'in-flight']);
  });

  test('passes its cookies on to the waiting client', async () => {
    const { admin, link } = await gatewayWorld();
    const cookies = ['XSRF-TOKEN=new; path=/', 'laravel_session=other; path=/'];
    link.faults.push(async (carryOut) => ({ ...(await carryOut()), cookies }));
    const answer = await admin.post(CREATE, VALUES, await filesFor(ups), withKey());
    expect(answer.headers['set-cookie']).toEqual(cookies);
  });
});

test('passes on an error of the back end at once when nothing was stored', async () => {
  const { admin, link, backend } = await gatewayWorld();
  link.faults.push(answerOf(500, { message: 'Server Error' }));
  const answer = await admin.post(CREATE, VALUES, await filesFor(ups), withKey());
  expect([answer.statusCode, answer.json(), backend.rows('ups')]).toEqual([500, { message: 'Server Error' }, []]);
});

describe('a create stored only in part by the back end', () => {
  async function createStoredInPart(answer: ReturnType<typeof answerOf>) {
    const world = await gatewayWorld();
    const files = [catalog, ...(await photos(2))];
    world.link.faults.push(async () => {
      await world.elsewhere(CREATE, formOf(VALUES, files.slice(0, 2)));
      return answer();
    });
    return { world, answer: await world.admin.post(CREATE, VALUES, files, withKey('key-of-a-create')) };
  }

  test('is completed at once after the back end’s own error', async () => {
    const { world, answer } = await createStoredInPart(answerOf(500, { message: 'Server Error' }));
    expect([answer.statusCode, answer.json().id]).toEqual([200, 1]);
    expect([hashes(world).length, world.backend.rows('ups').length]).toEqual([2, 1]);
  });

  test('is completed after an unknown outcome once nothing more can arrive', async () => {
    const { world, answer } = await createStoredInPart(answerOf(502, '<h1>Bad Gateway</h1>'));
    expect([answer.statusCode, hashes(world).length]).toEqual([409, 1]);
    expect((await settled(world, 'key-of-a-create', LONGEST_REQUEST)).json()).toMatchObject({ id: 1 });
    expect([hashes(world).length, world.backend.rows('ups').length]).toEqual([2, 1]);
  });
});

test('passes on the refusal of a back end in maintenance, and delivers the change afterwards', async () => {
  const { admin, link } = await gatewayWorld();
  link.faults.push(answerOf(503, { message: 'Down for maintenance.' }));
  const send = async () => admin.post(CREATE, VALUES, await filesFor(ups), withKey('key-of-a-create'));
  const refused = await send();
  expect([refused.statusCode, refused.json()]).toEqual([503, { message: 'Down for maintenance.' }]);
  expect((await send()).json()).toMatchObject({ id: 1 });
});

describe('a record or image that is gone', () => {
  test('was deleted only if it cannot be read either: a 404 alone is a back end that is away', async () => {
    const world = await gatewayWorld();
    await world.admin.post(CREATE, VALUES, await filesFor(ups));
    world.link.faults.push(answerOf(404, { message: 'Not found.' }), 'lost', async () => {
      await world.elsewhere(DELETE);
      return answerOf(404, { message: 'Not found.' })();
    });
    expect((await world.admin.order(DELETE, withKey())).statusCode).toBe(503);
    expect((await world.admin.order(DELETE, withKey('key-of-a-delete'))).statusCode).toBe(409);
    const answer = await settled(world, 'key-of-a-delete', LONGEST_REQUEST);
    expect([answer.statusCode, answer.json()]).toEqual([200, { message: 'It had already arrived.' }]);
  });

  test('ends the wait of an edit whose answer was lost', async () => {
    const world = await gatewayWorld();
    await world.admin.post(CREATE, VALUES, await filesFor(ups));
    world.link.faults.push('lost');
    const edit = () => world.admin.post(single(1), { ...VALUES, brand: 'New' }, [], withKey('key-of-an-edit'));
    expect((await edit()).statusCode).toBe(409);
    await world.elsewhere(DELETE);
    await settled(world, 'key-of-an-edit', LONGEST_REQUEST);
    expect((await edit()).json()).toEqual({ message: 'This record no longer exists.' });
  });

  test('is not passed on for removal when it is an image someone else removed', async () => {
    const world = await gatewayWorld();
    await world.admin.post(CREATE, VALUES, [catalog, ...(await photos(2))]);
    const [image] = (await world.admin.get(single(1))).json().images;
    await world.elsewhere(`/api/delete-image/${image.id}`);
    const { version } = (await world.admin.get(single(1))).json();
    const bound = { ...withKey(), 'if-match': `"${version}"` };
    const answer = await world.admin.order(`/api/delete-image/${image.id}`, bound);
    expect([answer.statusCode, answer.json().message]).toEqual([404, 'This image no longer exists.']);
    expect(world.link.posts).toHaveLength(1);
  });
});
