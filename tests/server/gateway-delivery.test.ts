import { describe, expect, test } from 'vitest';
import { ups } from '../../src/domain/resources/ups.ts';
import { answerOf } from '../harness/back-link.ts';
import { CREATE, catalog, hashes, photos, settled, single, VALUES, type World } from './gateway-ups.ts';
import { adminOf, gatewayWorld, LONGEST_REQUEST } from './gateway-world.ts';
import { formOf, withKey } from './harness.ts';
import { filesFor, picture } from './samples.ts';

const DELETE = `${ups.endpoints.delete}/1`;

/** A create of so many photos that the back end has confirmed, without a way to read its id; then somebody removes the row there. */
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

describe('a create that the back end has confirmed', () => {
  test('is never made again, also where its row is gone before its id was read', async () => {
    const world = await confirmedAndRemoved(1);
    const answer = await settled(world, 'key-of-a-create', LONGEST_REQUEST);
    expect(answer.json()).toEqual({ message: 'Ups Created Successfully' });
    expect([world.link.posts.length, world.backend.rows('ups')]).toEqual([1, []]);
  });

  test('nor by a gateway that was started anew', async () => {
    const world = await confirmedAndRemoved(1);
    await world.app.close();
    const again = { ...world, admin: adminOf(await world.start(), world.token) };
    const answer = await settled(again, 'key-of-a-create', LONGEST_REQUEST);
    expect(answer.json()).toEqual({ message: 'Ups Created Successfully' });
    expect([world.link.posts.length, world.backend.rows('ups')]).toEqual([1, []]);
  });

  test('has nothing that its other photos could be added to where it is gone', async () => {
    const world = await confirmedAndRemoved(30);
    expect((await settled(world, 'key-of-a-create', LONGEST_REQUEST)).statusCode).toBe(200);
    expect([world.link.posts.length, world.backend.rows('ups')]).toEqual([1, []]);
  });
});

describe('a change in parts', () => {
  test('is bound to the version that was seen by its first part alone: the others follow what that has made', async () => {
    const world = await gatewayWorld();
    await world.admin.post(CREATE, VALUES, [catalog, ...(await photos(1))]);
    const { version } = (await world.admin.get(single(1))).json();
    const bound = { ...withKey(), 'if-match': `"${version}"` };
    const answer = await world.admin.post(single(1), { ...VALUES, brand: 'New' }, (await photos(31)).slice(1), bound);
    expect(answer.statusCode).toBe(200);
    expect([hashes(world).length, world.backend.rows('ups')[0]?.['brand']]).toEqual([31, 'New']);
  });

  test('names what its first part has made twice, also where the answer to the next one is lost', async () => {
    const { admin, link } = await gatewayWorld();
    link.faults.push('twice', 'unanswered');
    const answer = await admin.post(CREATE, VALUES, [catalog, ...(await photos(30))], withKey());
    expect(answer.json()).toMatchObject({ id: 1, duplicates: [2] });
  });

  test('is done where somebody has removed the record between two of them', async () => {
    const world = await gatewayWorld();
    world.link.faults.push(undefined, async () => {
      await world.elsewhere(DELETE);
      return answerOf(404, { message: 'Not found.' })();
    });
    const answer = await world.admin.post(CREATE, VALUES, [catalog, ...(await photos(30))], withKey());
    expect([answer.statusCode, answer.json().id, world.backend.rows('ups')]).toEqual([200, 1, []]);
  });

  test('is refused where what is to be taken back is gone already', async () => {
    const world = await gatewayWorld();
    const bad = { field: 'images[]', bytes: await picture('webp'), name: 'x.webp', type: 'image/webp' };
    world.link.faults.push(undefined, undefined, answerOf(404, { message: 'Not found.' }));
    const answer = await world.admin.post(CREATE, VALUES, [catalog, ...(await photos(30)), bad], withKey());
    expect(answer.statusCode).toBe(422);
  });
});

describe('an answer of something in between', () => {
  test('that says 503 as a page says nothing of a change that has arrived', async () => {
    const { admin, link, backend } = await gatewayWorld();
    link.faults.push(async (carryOut) => {
      await carryOut();
      return answerOf(503, '<h1>Service Unavailable</h1>')();
    });
    const answer = await admin.post(CREATE, VALUES, await filesFor(ups), withKey());
    expect([answer.statusCode, answer.json().id, backend.rows('ups').length]).toEqual([200, 1, 1]);
  });

  test.each([408, 502, 504])('leaves the outcome open although it is JSON (%i)', async (status) => {
    const { admin, link } = await gatewayWorld();
    link.faults.push(answerOf(status, { message: 'Nobody knows' }));
    const answer = await admin.post(CREATE, VALUES, await filesFor(ups), withKey());
    expect([answer.statusCode, answer.json().code]).toEqual([409, 'in-flight']);
  });

  test('brings its cookies to whoever waits', async () => {
    const { admin, link } = await gatewayWorld();
    const cookies = ['XSRF-TOKEN=new; path=/', 'laravel_session=other; path=/'];
    link.faults.push(async (carryOut) => ({ ...(await carryOut()), cookies }));
    const answer = await admin.post(CREATE, VALUES, await filesFor(ups), withKey());
    expect(answer.headers['set-cookie']).toEqual(cookies);
  });
});

test('an error of the back end itself is handed on at once where nothing has arrived', async () => {
  const { admin, link, backend } = await gatewayWorld();
  link.faults.push(answerOf(500, { message: 'Server Error' }));
  const answer = await admin.post(CREATE, VALUES, await filesFor(ups), withKey());
  expect([answer.statusCode, answer.json(), backend.rows('ups')]).toEqual([500, { message: 'Server Error' }, []]);
});

describe('what the back end has stored of a change before it stopped is completed', () => {
  async function createStoredInPart(answer: ReturnType<typeof answerOf>) {
    const world = await gatewayWorld();
    const files = [catalog, ...(await photos(2))];
    world.link.faults.push(async () => {
      await world.elsewhere(CREATE, formOf(VALUES, files.slice(0, 2)));
      return answer();
    });
    return { world, answer: await world.admin.post(CREATE, VALUES, files, withKey('key-of-a-create')) };
  }

  test('at once after an error of its own', async () => {
    const { world, answer } = await createStoredInPart(answerOf(500, { message: 'Server Error' }));
    expect([answer.statusCode, answer.json().id]).toEqual([200, 1]);
    expect([hashes(world).length, world.backend.rows('ups').length]).toEqual([2, 1]);
  });

  test('where nobody knows, once nothing more of it can arrive', async () => {
    const { world, answer } = await createStoredInPart(answerOf(502, '<h1>Bad Gateway</h1>'));
    expect([answer.statusCode, hashes(world).length]).toEqual([409, 1]);
    expect((await settled(world, 'key-of-a-create', LONGEST_REQUEST)).json()).toMatchObject({ id: 1 });
    expect([hashes(world).length, world.backend.rows('ups').length]).toEqual([2, 1]);
  });
});

test('a back end in maintenance refuses a change in its own words, and takes it afterwards', async () => {
  const { admin, link } = await gatewayWorld();
  link.faults.push(answerOf(503, { message: 'Down for maintenance.' }));
  const send = async () => admin.post(CREATE, VALUES, await filesFor(ups), withKey('key-of-a-create'));
  const refused = await send();
  expect([refused.statusCode, refused.json()]).toEqual([503, { message: 'Down for maintenance.' }]);
  expect((await send()).json()).toMatchObject({ id: 1 });
});

describe('what is gone', () => {
  test('was not deleted by a first request that is told so, and was by one that repeats another', async () => {
    const world = await gatewayWorld();
    await world.admin.post(CREATE, VALUES, await filesFor(ups));
    world.link.faults.push(answerOf(404, { message: 'Not found.' }), 'lost', async () => {
      await world.elsewhere(DELETE);
      return answerOf(404, { message: 'Not found.' })();
    });
    expect((await world.admin.order(DELETE, withKey())).statusCode).toBe(404);
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

  test('is an image that somebody else has removed: nothing is passed on', async () => {
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
