import { expect, test } from 'vitest';
import { baseOf } from '../../src/domain/outbox/base.ts';
import type { ServerRecord } from '../../src/domain/resource.ts';
import { resourceOf } from '../../src/domain/resources/index.ts';
import { generatorDraft } from './support/drafts.ts';
import { json, OfflineWorld } from './support/offline-world.ts';

/** What differs every time that it is asked for is not asked for without a pause. */

test('a record whose version differs at every read is sent again with a growing backoff, until it stands still', async () => {
  const world = await OfflineWorld.begin('own');
  await world.save(generatorDraft('volatile'));
  await world.drain();
  const [row] = await world.generators('volatile');
  const path = `/api/get-single-generator/${row?.id}`;
  const base = baseOf(resourceOf('generators'), await world.ask<ServerRecord>(path));
  let posts = 0;
  const stale = json(412, { message: 'Changed by someone else.', code: 'version-mismatch' });
  world.onChanges(async (request, pass) => ((posts += 1) > 6 ? pass(request) : stale()));
  const about = { op: 'update', resource: 'generators', recordId: String(row?.id), files: [] } as const;
  await world.save({ ...about, values: { ...base.values, origin: 'Spain' }, base });
  const sent: number[] = [];
  for (let seconds = 0; seconds < 120; seconds += 1) {
    await world.drain();
    sent.push(posts);
    world.device.pass(1_000);
  }
  expect(sent[0]).toBe(2);
  expect(sent[3]).toBeLessThan(5);
  expect(posts).toBe(7);
  expect(await world.ask(path)).toMatchObject({ origin: 'Spain' });
});

test('a server whose capabilities alternate is not asked in a loop', async () => {
  const world = await OfflineWorld.begin('own');
  await world.save(generatorDraft('alternating'));
  world.device.online = false;
  let asked = 0;
  world.device.wire = async (request, pass) => {
    const answer = await pass(request);
    if (new URL(request.url).pathname !== '/api/capabilities') return answer;
    asked += 1;
    if (asked > 30) throw new TypeError('Enough.');
    const told = (await answer.json()) as Record<string, unknown>;
    if (asked % 2 === 0) delete told['staging'];
    return Response.json(told, { headers: answer.headers });
  };
  await world.drain();
  expect(asked).toBeLessThan(10);
  await world.linkReturns();
  expect(await world.generators('alternating')).toHaveLength(1);
});
