import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { OutboxEntry } from '../../src/domain/outbox/vocabulary.ts';
import type { ChangeDraft } from '../../src/offline/outbox/change-draft.ts';
import { StorageStalledError } from '../../src/offline/storage/errors.ts';
import { readMeta } from '../../src/offline/storage/meta.ts';
import { generatorDraft, photo } from './support/drafts.ts';
import { cut, json, OfflineWorld } from './support/offline-world.ts';

let world: OfflineWorld;
let path: string;
let entry: OutboxEntry;

/** An edit without a version, as a list shows the record: it is compared with the server before it is sent. */
beforeEach(async (context) => {
  world = await OfflineWorld.begin();
  const draft = generatorDraft(context.task.id);
  await world.save(draft);
  await world.drain();
  const recordId = String((await world.done())[0]?.receipt?.serverId);
  path = `/api/get-single-generator/${recordId}`;
  const about = { op: 'update', resource: 'generators', recordId, files: [] } as const;
  const base = { values: draft.values, imageIds: [] };
  entry = await world.save({ ...about, values: { ...draft.values, origin: 'Spain' }, base });
});

/** Handles the request for the current record. */
function onQuestion(answer: (pass: () => Promise<Response>) => Promise<Response>): void {
  world.device.wire = async (request, pass) =>
    request.method === 'GET' && new URL(request.url).pathname === path ? answer(() => pass(request)) : pass(request);
}

describe('an edit with a preflight conflict check', () => {
  test('waits for the link as long as needed when the check gets no answer', async () => {
    onQuestion(async () => cut());
    for (let hour = 0; hour < 12; hour += 1) {
      world.device.pass(60 * 60_000);
      await world.drain();
    }
    expect(await world.waiting()).toMatchObject([{ state: 'pending', attempts: 0, delivery: [] }]);
    expect(await readMeta(world.page.outbox, 'pause')).toMatchObject({ cause: 'unreachable' });
    await world.linkReturns();
    expect(await world.ask(path)).toMatchObject({ origin: 'Spain' });
  });

  test('needs the administrator when the check fails on the server for half an hour', async () => {
    onQuestion(async () => json(500, { message: 'Broken.' })());
    for (let hour = 0; hour < 12; hour += 1) {
      world.device.pass(60 * 60_000);
      await world.drain();
    }
    expect(await world.waiting()).toMatchObject([
      { state: 'attention', reason: { code: 'server-errors', message: 'Broken.' } },
    ]);
  });

  test('ignores a conflict found before another save was merged into it', async () => {
    await world.elsewhere(path, { ...generatorDraft('any').values, brand: 'Theirs', origin: 'France' });
    let asked = 0;
    onQuestion(async (pass) => {
      const answer = await pass();
      asked += 1;
      if (asked === 1 && entry.change.op === 'update') {
        const { change } = entry;
        const { values } = change;
        await world.save({
          ...change,
          files: [],
          values: { ...values, origin: 'France' },
          base: { ...change.base, values },
        });
      }
      return answer;
    });
    await world.drain();
    expect(asked).toBeGreaterThan(1);
    expect(await world.waiting()).toEqual([]);
    expect(await world.ask(path)).toMatchObject({ brand: 'Theirs', origin: 'France' });
  });
});

test('a photo that stalled storage did not return in time is added later', async () => {
  const draft = generatorDraft('storage');
  const { op, resource, recordId } = entry.change;
  await world.drain();
  const about = { op, resource, recordId, files: [photo('storage')] } as const;
  await world.save({ ...about, values: draft.values, base: { values: draft.values, imageIds: [] } } as ChangeDraft);
  const { files } = world.page.outbox;
  const read = vi.spyOn(files, 'get').mockRejectedValueOnce(new StorageStalledError());
  await world.drain();
  expect(read).toHaveBeenCalledOnce();
  expect(await world.waiting()).toMatchObject([{ state: 'pending', delivery: [] }]);
  await world.linkReturns();
  expect(await world.waiting()).toEqual([]);
  expect(await world.ask(path)).toMatchObject({ images: { length: 2 } });
});

test('a server that answers 401 keeps its known capabilities', async () => {
  world.device.pass(2 * 60 * 60_000);
  const { wire } = world.device;
  const posts: string[] = [];
  world.device.wire = async (request, pass) => {
    if (new URL(request.url).pathname === '/api/capabilities') return json(401, { message: 'Unauthenticated.' })();
    if (request.method === 'POST') posts.push(request.headers.get('idempotency-key') ?? 'none');
    return wire(request, pass);
  };
  await world.drain();
  expect(await readMeta(world.page.outbox, 'capabilities')).toMatchObject({ told: { server: 'voltdesk' } });
  expect(posts).toHaveLength(1);
  expect(posts).not.toContain('none');
});
