import { describe, expect, test } from 'vitest';
import { projects } from '../../src/domain/resources/projects.ts';
import { settled } from './gateway-ups.ts';
import { adminOf, gatewayWorld } from './gateway-world.ts';
import { formOf, withKey } from './harness.ts';
import { filesFor, valuesFor } from './samples.ts';

const { create } = projects.endpoints;
const KEY = 'key-of-a-project';

/** A back end with many projects on pages of ten. */
async function manyProjects(count: number, habits: object = {}, options: object = {}) {
  const world = await gatewayWorld({ habits: { pageSize: 10, ...habits }, ...options });
  const values = valuesFor(projects.fields);
  const files = await filesFor(projects);
  for (let made = 0; made < count; made += 1) await world.elsewhere(create, formOf(values, files));
  return { ...world, values, files };
}

const asked = ({ link }: { readonly link: { readonly reads: readonly string[]; readonly posts: readonly string[] } }) =>
  link.reads.length + link.posts.length;

describe('a create in a list of many pages', () => {
  test.each([
    ['oldest first', {}],
    ['newest first', { newestFirst: true }],
    ['with Laravel’s paginator', { wraps: 'paginator' }],
  ])('costs at most eight requests once its order is known (%s)', async (_what, habits) => {
    const world = await manyProjects(120, habits);
    expect((await world.admin.post(create, world.values, world.files, withKey())).json()).toMatchObject({ id: 121 });
    const before = asked(world);
    expect((await world.admin.post(create, world.values, world.files, withKey())).json()).toMatchObject({ id: 122 });
    expect(asked(world) - before).toBeLessThanOrEqual(8);
  });

  test('is found after a lost answer, on a page that it has opened', async () => {
    const world = await manyProjects(20);
    world.link.faults.push('unanswered');
    const answer = await world.admin.post(create, world.values, world.files, withKey(KEY));
    expect([answer.statusCode, answer.json().id]).toEqual([200, 21]);
    world.link.faults.push('lost');
    await world.admin.post(create, world.values, world.files, withKey('key-of-another'));
    expect((await settled(world, 'key-of-another', 60_000)).json()).toMatchObject({ id: 22 });
    expect(world.backend.rows('projects')).toHaveLength(22);
  });

  test('succeeds before a back end that allows 60 requests a minute', async () => {
    const world = await manyProjects(120, {});
    const before = asked(world);
    await world.admin.post(create, world.values, world.files, withKey());
    expect(asked(world) - before).toBeLessThan(30);
  });

  test('is not confused by rows that were deleted since', async () => {
    const world = await manyProjects(31);
    expect((await world.admin.post(create, world.values, world.files, withKey())).json()).toMatchObject({ id: 32 });
    for (const id of [30, 31, 32]) await world.elsewhere(`${projects.endpoints.delete}/${id}`);
    expect((await world.admin.post(create, world.values, world.files, withKey())).json()).toMatchObject({ id: 33 });
  });
});

describe('what is known of a list’s pages', () => {
  const costOf = async (world: Awaited<ReturnType<typeof manyProjects>>, admin = world.admin) => {
    const before = asked(world);
    expect((await admin.post(create, world.values, world.files, withKey())).statusCode).toBe(200);
    return asked(world) - before;
  };

  test('outlives the process', async () => {
    const world = await manyProjects(120);
    await costOf(world);
    await world.app.close();
    expect(await costOf(world, adminOf(await world.start(), world.token))).toBeLessThanOrEqual(8 + 2);
  });

  test('comes from the feed too', async () => {
    const world = await manyProjects(120);
    await world.admin.get('/api/feed');
    const from = world.link.reads.length;
    await costOf(world);
    const pages = world.link.reads.slice(from).filter((path) => path.startsWith(projects.endpoints.list));
    // five for the create, two for the feed afterwards
    expect(pages.length).toBeLessThanOrEqual(7);
  });
});

describe('the feed of a list of many pages', () => {
  test('does not tell a living record deleted because another one was deleted between two pages', async () => {
    const world = await manyProjects(25);
    await world.admin.get('/api/feed');
    world.clock.pass(61_000);
    let isDeleted = false;
    world.link.insteadOfRead = (path) => {
      if (isDeleted || !path.endsWith('?page=2')) return undefined;
      isDeleted = true;
      return (async () => {
        await world.elsewhere(`${projects.endpoints.delete}/1`);
        return page(world.backend.rows('projects').slice(10, 20));
      })();
    };
    const { cursor } = (await world.admin.get('/api/feed')).json();
    world.clock.pass(61_000);
    const { changed } = (await world.admin.get('/api/feed')).json();
    expect(cursor).toEqual(expect.any(String));
    expect(changed.projects.map(({ id }: { id: number }) => id)).toContain(11);
  });

  test('reads it whole only as often as a third of the back end’s rate allows', async () => {
    const world = await manyProjects(130);
    await world.admin.get('/api/feed');
    const before = asked(world);
    for (let minute = 0; minute < 3; minute += 1) {
      world.clock.pass(31_000);
      await world.admin.get('/api/feed');
    }
    const pages = world.link.reads.slice(before).filter((path) => path.startsWith(projects.endpoints.list));
    expect(pages.length).toBeLessThan(30);
  });
});

async function page(rows: readonly object[]) {
  const headers = { 'content-type': 'application/json' };
  return { status: 200, headers, cookies: [], body: Buffer.from(JSON.stringify(rows)) };
}
