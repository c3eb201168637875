import { describe, expect, it } from 'vitest';
import { MOST_BATCHED } from '../../src/domain/protocol/batch.ts';
import type { ChangeDraft } from '../../src/offline/outbox/change-draft.ts';
import { STAGED_FROM_BYTES } from '../../src/domain/protocol/staging.ts';
import { enqueue } from '../../src/offline/outbox/enqueue.ts';
import { rememberSession } from '../../src/offline/storage/session.ts';
import { contractOnlyServers } from './servers/contract-only.ts';
import { ownServers } from './servers/own-on-sqlite.ts';
import type { ServerSupply } from './servers/server.ts';
import { shrink } from './shrink.ts';
import { play } from './scenario/play.ts';
import { scheduleOf } from './scenario/schedule.ts';
import { picked, sampleFor } from './scenario/subjects.ts';
import type { Context } from './world/device.ts';
import { World } from './world/world.ts';

const MINUTES = 60_000;

describe('the outbox with 1,000 changes waiting', () => {
  it('sends each one once, none overtaken by more than a batch, and those with large files last', {
    timeout: 10 * MINUTES,
  }, async () => {
    const own = await ownServers();
    const drafts: SavedDraft[] = [];
    const fresh: ServerSupply['fresh'] = async (given) => {
      const server = await own.fresh(given);
      const ids = await server.furnish(900, 'first');
      drafts.push(...manyDrafts(ids));
      return server;
    };
    const world = await World.begin({
      seed: 'a thousand',
      supply: { ...own, fresh },
      traits: {
        worker: true,
        locks: true,
        keepsBlobs: true,
        workerReadsCookies: true,
        backgroundSync: true,
        estimate: 'reported',
        workerOutlivesPages: Number.POSITIVE_INFINITY,
      },
      plan: (number) => (number % 97 === 96 ? 'answer lost' : undefined),
    });
    world.network.online = false;
    const page = world.device.openPage();
    const token = await world.really(() => world.signIn('1'));
    let saved = 0;
    world.scheduler.soon(() => {
      void saveMany(drafts, page, token, () => {
        saved += 1;
      });
    }, page.lane);
    await world.scheduler.run(world.scheduler.now + 60_000, () => saved === 1_000);
    world.network.online = true;
    world.device.linkReturned();
    const waits = () => world.device.entries().some(({ state }) => state !== 'done');
    for (let minute = 0; minute < 30 && waits(); minute += 1) await world.scheduler.run(world.scheduler.now + MINUTES);
    const arrived = world.arrivals.filter(({ effective, from }) => effective && from !== 'elsewhere');
    const stored = await world.really(() => world.server.stored('partners'));
    world.end();
    await own.close();
    const links = Array.from({ length: 1_000 }, (_, i) => linkOf(i));
    const last = drafts.filter(hasLargeFile).map(({ values }) => values['link'] ?? '');
    expect(last).toHaveLength(4);
    const inTime = arrived.map(({ values }) => values['link'] ?? '');
    expect(inTime.toSorted()).toEqual(links.toSorted());
    expect(inTime.slice(-last.length)).toEqual(last);
    expect(Math.max(...overtakers(inTime.slice(0, -last.length), links))).toBeLessThanOrEqual(MOST_BATCHED);
    expect(stored.map(({ record }) => record['link']).filter((link) => links.includes(String(link)))).toHaveLength(
      1_000,
    );
  });
});

describe('a simulated world', () => {
  it('repeats itself exactly for the same seed', { timeout: 5 * MINUTES }, async () => {
    const own = await ownServers();
    for (const supply of [own, contractOnlyServers]) {
      for (const seed of ['3', '16', '3038']) {
        const once = await play(scheduleOf(seed), supply);
        const again = await play(scheduleOf(seed), supply);
        expect(again.traceHash).toBe(once.traceHash);
      }
    }
    await own.close();
  });

  it('takes another course for another seed', { timeout: 5 * MINUTES }, async () => {
    const one = await play(scheduleOf('3'), contractOnlyServers);
    const other = await play(scheduleOf('4'), contractOnlyServers);
    expect(other.traceHash).not.toBe(one.traceHash);
  });

  it('is reduced to the events that a failure needs', async () => {
    const schedule = scheduleOf('7');
    const needed = schedule.events[3];
    const least = await shrink(schedule, async ({ events }) => events.some((event) => event.seed === needed?.seed));
    expect(least.events).toEqual([needed]);
    expect(least.faultsEnd).toBe(0);
  });
});

type SavedDraft = Extract<ChangeDraft, { readonly files: unknown }>;

/** Every tenth change creates a record with a picture. Each of the others edits one of the server's records. */
function manyDrafts(ids: readonly number[]): SavedDraft[] {
  const left = ids.map(String);
  return Array.from({ length: 1_000 }, (_, i): SavedDraft => {
    const values = { name: `many ${i}`, link: linkOf(i) };
    const recordId = i % 10 === 0 ? undefined : left.shift();
    if (recordId === undefined)
      return { op: 'create', resource: 'partners', values, files: [picked('image', sampleFor('image', i))] };
    const base = { version: 'first', values: { name: values.name, link: '' }, imageIds: [] };
    return { op: 'update', resource: 'partners', recordId, values, files: [], base };
  });
}

/** For each change, the number of later ones that overtook it. */
function overtakers(arrived: readonly string[], saved: readonly string[]): number[] {
  const places = arrived.map((link) => saved.indexOf(link));
  return places.map((place, i) => places.slice(0, i).filter((earlier) => earlier > place).length);
}

function hasLargeFile({ files }: SavedDraft): boolean {
  return files.some(({ blob }) => blob.size >= STAGED_FROM_BYTES);
}

function linkOf(i: number): string {
  return `https://many-${i}.example`;
}

async function saveMany(
  drafts: readonly ChangeDraft[],
  { environment }: Context,
  token: string,
  saved: () => void,
): Promise<void> {
  await rememberSession({ administrator: '1', name: 'First', token, rememberAcrossRestarts: true }, environment);
  for (const [i, draft] of drafts.entries()) {
    await enqueue(environment, draft, { administrator: '1', title: `many ${i}` });
    saved();
  }
}
