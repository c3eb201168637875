import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { inFlight } from '../../server/errors/refusal.ts';
import { realDisk } from '../../server/uploads/disk.ts';
import { CHANGES_PATH } from '../../src/domain/protocol/capabilities.ts';
import { partners } from '../../src/domain/resources/partners.ts';
import { change, linesOf, png, sendBatch, statuses, world } from './batch-client.ts';
import { type Client, signedIn } from './harness.ts';
import { named } from './staging-client.ts';

type World = Pick<Awaited<ReturnType<typeof world>>, 'app'>;

/** Runs something while the change of that number, from 1, is executed. */
function during({ app }: World, number: number, task: () => Promise<unknown>): void {
  const { keep } = app.services.reserve;
  let changes = 0;
  Object.assign(app.services.reserve, {
    keep: async () => {
      changes += 1;
      if (changes === number) await task();
      return keep();
    },
  });
}

/** The answer while it arrives. */
function listening({ post }: Client): Pick<Client, 'post'> {
  return { post: async (url, form, extra = {}) => post(url, form, extra, true) };
}

test('returns the answer to a change by its key as soon as it is executed, though later ones wait', async () => {
  const server = await world();
  const { admin, partner, send } = server;
  const [one, two] = [partner('local-1', 'one'), partner('local-2', 'two')];
  let told: Record<string, { status: number }> = {};
  during(server, 2, async () => {
    told = (await admin.get(`${CHANGES_PATH}?keys=${one.key},${two.key}`)).json().answers;
  });
  await send(one, two);
  expect([told[one.key]?.status, told[two.key]?.status]).toEqual([200, 409]);
});

test('finishes only the current change once the server shuts down, and frees the other keys', async () => {
  const server = await world();
  const { app, partner, send, dataDir } = server;
  const batch = [partner('local-1', 'one'), partner('local-2', 'two'), partner('local-3', 'three')];
  let closing: Promise<unknown> = Promise.resolve();
  during(server, 1, async () => {
    closing = app.close();
    const isOpen = () =>
      app.inject('/healthz').then(
        () => true,
        () => false,
      );
    await expect.poll(isOpen, { interval: 1 }).toBe(false);
    await turn();
  });
  expect(statuses(await send(...batch))).toEqual([200]);
  await closing;
  const { waiting } = app.services;
  expect(await Promise.all(batch.map(({ key }) => waiting.has(1, key)))).toEqual([false, false, false]);
  const { admin } = await signedIn({ DATA_DIR: dataDir });
  expect((await admin.get(partners.endpoints.list)).json()).toMatchObject([{ name: 'one' }]);
});

test('sends a heartbeat every fifteen seconds while a change is executed, and none afterwards', async () => {
  const server = await world();
  const { admin, partner, logo } = server;
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const before = vi.getTimerCount();
  during(server, 1, async () => vi.advanceTimersByTime(31_000));
  const answer = await sendBatch(listening(admin), [partner('local-1', 'one')], [logo]);
  expect(answer.headers['x-accel-buffering']).toBe('no');
  let text = '';
  for await (const chunk of answer.stream()) text += chunk;
  expect(text).toMatch(/^\n\n\{.*\}\n$/);
  expect(vi.getTimerCount()).toBe(before);
});

test('completes its answer though an attached file cannot be removed, and logs that', async () => {
  const log: string[] = [];
  let first: string | undefined;
  const { admin } = await signedIn(
    { LOG_LEVEL: 'error' },
    {
      logStream: { write: (line) => log.push(line) },
      disk: {
        ...realDisk,
        create: (path) => {
          if (path.includes('.incoming')) first ??= path;
          return realDisk.create(path);
        },
        remove: (path) => (path === first ? Promise.reject(new Error('it sticks')) : realDisk.remove(path)),
      },
    },
  );
  const logo = await png('#123456');
  const partner = change('create', 'partners', {
    id: 'local-1',
    fields: { name: 'one' },
    files: [named('image', logo.bytes)],
  });
  expect(statuses(await sendBatch(admin, [partner], [logo]))).toEqual([200]);
  await expect.poll(() => log.join('')).toContain('it sticks');
});

test('does not execute a change whose key was reported as not waiting in the meantime', async () => {
  const { app, partner, send, names } = await world();
  const { waiting } = app.services;
  const { add } = waiting;
  Object.assign(waiting, {
    add: async (...given: Parameters<typeof add>) => {
      const batch = await add(...given);
      const confirm = async (key: string) => {
        if (key === two.key) throw inFlight();
      };
      return { ...batch, confirm };
    },
  });
  const [one, two] = [partner('local-1', 'one'), partner('local-2', 'two')];
  expect(statuses(await send(one, two))).toEqual([200, 409]);
  expect(await names()).toEqual(['one']);
});

test('does not try a change that follows a delete, whichever version it also names', async () => {
  const { send, partner } = await world();
  await send(partner('local-1', 'one'));
  const gone = change('delete', 'partners', { id: '1' });
  const edit = change('update', 'partners', { id: '1', fields: { name: 'two' }, after: gone.key, version: 'x' });
  const lines = linesOf(await send(gone, edit));
  expect(lines).toMatchObject([{ status: 200 }, { status: 424, body: { code: 'record-unknown' } }]);
});

test('gives a retry time with a change that has one, and none otherwise', async () => {
  const server = await world();
  during(server, 1, async () => {
    throw Object.assign(new Error('full'), { code: 'ENOSPC' });
  });
  const [full, none] = linesOf(
    await server.send(server.partner('local-1', 'one'), change('update', 'partners', { id: '4711' })),
  );
  expect(full).toMatchObject({ status: 503, body: { code: 'storage' }, retryAfter: 60 });
  expect(none?.status).toBe(404);
  expect(none).not.toHaveProperty('retryAfter');
});

test('is streamed line by line through proxies, and its answers by key are not cached', async () => {
  const { admin, partner, send } = await world();
  const one = partner('local-1', 'one');
  expect((await send(one)).headers['x-accel-buffering']).toBe('no');
  for (const url of [`${CHANGES_PATH}?keys=${one.key}`, `${CHANGES_PATH}/${one.key}`]) {
    const answer = await admin.get(url);
    expect([answer.statusCode, answer.headers['cache-control']]).toEqual([200, 'no-store']);
  }
});

test('resolves a local id only to the record that the batch created, of the same kind', async () => {
  const { send, partner, names } = await world();
  const one = partner('local-1', 'one');
  const other = change('delete', 'projects', { id: 'local-1' });
  const lines = linesOf(await send(one, other, change('delete', 'partners', { id: 'local-1' })));
  expect(lines.map(({ status }) => status)).toEqual([200, 424, 200]);
  expect(lines[1]?.body).toMatchObject({ code: 'record-unknown' });
  expect(await names()).toEqual([]);
});

test('leaves nothing of a change when one of its files cannot be stored', async () => {
  let links = 0;
  const link = (from: string, to: string) => {
    links += 1;
    return links === 2 ? Promise.reject(new Error('it sticks')) : realDisk.link(from, to);
  };
  const { admin, dataDir } = await signedIn({}, { disk: { ...realDisk, link } });
  const photos = [await png('#123456'), await png('#654321')];
  const files = photos.map(({ bytes }) => named('images', bytes));
  const create = change('create', 'generators', { id: 'local-1', fields: {}, files });
  expect(statuses(await sendBatch(admin, [create], photos))).toEqual([500]);
  await expect.poll(() => readdir(join(dataDir, 'uploads', '.incoming'))).toEqual([]);
});

test.each([
  ['signed out', 401, ({ admin }: Awaited<ReturnType<typeof world>>) => admin.post('/api/logout', undefined)],
  [
    'made a viewer',
    403,
    ({ app }: Awaited<ReturnType<typeof world>>) =>
      app.services.db.updateTable('users').set({ role: 'viewer' }).execute(),
  ],
])('makes no change of a batch whose sender was %s meanwhile', async (_what, status, end) => {
  const server = await world();
  const { app, partner, send } = server;
  during(server, 2, () => end(server));
  const batch = [partner('local-1', 'one'), partner('local-2', 'two'), partner('local-3', 'three')];
  expect(statuses(await send(...batch))).toEqual([200, status, status]);
  expect(
    await app.services.db
      .selectFrom('partners' as 'records')
      .select('id')
      .execute(),
  ).toHaveLength(1);
});
