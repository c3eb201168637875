import { describe, expect, test } from 'vitest';
import type { Change } from '../../src/domain/outbox/vocabulary.ts';
import { BATCH_ANSWER_TYPE } from '../../src/domain/protocol/batch.ts';
import { type OwnAnswer, postBatch } from '../../src/offline/sender/batch-answers.ts';
import { type BatchMember, batchBody, wireSize } from '../../src/offline/sender/batch-body.ts';
import { timeoutOf } from '../../src/offline/sender/time-limits.ts';
import { creating, deleting, editing, entryOf, fileOf, partner } from '../domain/outbox/samples.ts';
import { answering, KEYED, senderAtWork } from './support/at-work.ts';
import { cut, json } from './support/offline-world.ts';

const BATCH = 'POST /api/changes';
const SILENCE = 30_000;

const member = (change = creating(), more: Partial<BatchMember> = {}): BatchMember => {
  const entry = entryOf(change);
  return { entry, change, files: new Map(), ...more };
};

/** Lines of a batch answer, sent when they are given. */
function lines(status = 200, type = BATCH_ANSWER_TYPE) {
  let stream: ReadableStreamDefaultController<Uint8Array> | undefined;
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      stream = controller;
    },
  });
  return {
    answer: () => new Response(body, { status, headers: { 'Content-Type': type } }),
    give: (text: string) => stream?.enqueue(new TextEncoder().encode(text)),
    end: () => stream?.close(),
  };
}

const line = (key: string, more = {}) => `${JSON.stringify({ key, status: 200, body: { id: 1 }, ...more })}\n`;

async function posted(answer: () => Response, members = [member(), member(creating('local-2'))]) {
  const { device, sender } = await senderAtWork(KEYED);
  answering(device, { [BATCH]: answer, 'GET /api/user': json(200, {}) });
  const told: OwnAnswer[] = [];
  const over = postBatch(sender, members, async (answers) => void told.push(...answers));
  let isOver = false;
  void over.finally(() => {
    isOver = true;
  });
  /** Lets this much time pass, with everything that follows from it. */
  const after = async (milliseconds: number) => {
    for (let turns = 0; turns < 20; turns += 1) await new Promise((resolve) => setImmediate(resolve));
    device.pass(milliseconds);
    for (let turns = 0; turns < 20; turns += 1) await new Promise((resolve) => setImmediate(resolve));
    return isOver;
  };
  return { device, over, told, after };
}

describe('the answers of a batch', () => {
  test('have a time-out for the first one and then for each next one', async () => {
    const stream = lines();
    const { after, told } = await posted(stream.answer);
    expect(await after(29_000)).toBe(false);
    stream.give(line('a'));
    expect(await after(SILENCE - 1)).toBe(false);
    // a heartbeat
    stream.give('\n');
    expect(await after(SILENCE - 1)).toBe(false);
    stream.give(line('b'));
    expect(await after(SILENCE - 1)).toBe(false);
    expect(await after(1)).toBe(true);
    expect(told.map(({ key }) => key)).toEqual(['a', 'b']);
  });

  test('time out when the first one does not come', async () => {
    const members = [member(), member(creating('local-2'))];
    const { after, over, device } = await posted(lines().answer, members);
    // half a minute, plus more for a large body
    expect(await after(timeoutOf(batchBody(members).bytes) - 1)).toBe(false);
    expect(await after(1)).toBe(true);
    expect((await over).instead).toBeUndefined();
    expect(device.timers.size).toBe(0);
  });

  test('are reported as they come, each with its own wait', async () => {
    const stream = lines();
    const { device, over, told } = await posted(stream.answer);
    stream.give(`${line('a')}${line('b', { status: 409, retryAfter: 7 }).slice(0, 9)}`);
    stream.give(
      `${line('b', { status: 409, retryAfter: 7 }).slice(9)}nonsense\n{"status":200}\n{"key":5}\n${line('cut').slice(0, -1)}`,
    );
    stream.end();
    expect(await over).toMatchObject({ instead: undefined });
    expect(device.timers.size).toBe(0);
    const own = { redirected: false, json: true, body: { id: 1 } };
    expect(told).toEqual([
      { key: 'a', answer: { ...own, status: 200 } },
      { key: 'b', answer: { ...own, status: 409, retryAfter: 7_000 } },
    ]);
  });

  test.each<[string, () => Response, number]>([
    ['another type of answer', json(200, { message: 'Done.' }), 200],
    [
      'a refusal, whatever its type',
      () => new Response('', { status: 422, headers: { 'Content-Type': BATCH_ANSWER_TYPE } }),
      422,
    ],
    ['an answer without a type', () => new Response(new Uint8Array()), 200],
  ])('are missing in %s', async (_what, answer, status) => {
    const { over, told } = await posted(answer);
    expect([(await over).instead?.status, told]).toEqual([status, []]);
  });

  test('are missing without an answer, or with half of another one', async () => {
    expect((await (await posted(cut)).over).instead).toBeUndefined();
    const half = lines(500, 'application/json');
    const { over, after } = await posted(half.answer);
    half.give('{"mess');
    expect(await after(2 * SILENCE)).toBe(true);
    expect((await over).instead).toBeUndefined();
  });
});

describe('a batch on the wire', () => {
  test('is no larger than calculated, including the frame of each file', async () => {
    const members = Array.from({ length: 20 }, (_, place) => {
      const file = { ...fileOf(`file-${place}`, 'image', 8) };
      const files = new Map([[file.sha256, new File([new Uint8Array(8)], file.name, { type: file.type })]]);
      return member({ ...creating(`local-${place}`), files: [file] } as Change, { files });
    });
    const reckoned = members.reduce((sum, one) => sum + wireSize(one) + 8, 0);
    const { body } = batchBody(members);
    const sent = await new Response(body).arrayBuffer();
    expect(sent.byteLength).toBeLessThanOrEqual(reckoned);
  });

  const inJson = (...members: BatchMember[]) => {
    const { body, bytes } = batchBody(members);
    expect(bytes).toBe(String(body).length);
    return JSON.parse(String(body)) as { changes: unknown[] };
  };

  test('carries each change with its key and its base', () => {
    const [create, edit, deletion] = [
      member(),
      member(editing('5', partner('A'), partner('B'), '7')),
      member(deleting('6')),
    ];
    const follower = member(editing('5', partner('B'), partner('C'), '7'), { after: edit.entry });
    const [made, edited, deleted, followed] = inJson(create, edit, deletion, follower).changes;
    const fields = partner;
    const key = ({ entry }: BatchMember) => entry.idempotencyKey;
    expect(made).toEqual({
      key: key(create),
      op: 'create',
      resource: 'partners',
      id: 'local-1',
      fields: fields('Acme'),
    });
    expect(edited).toEqual({
      key: key(edit),
      op: 'update',
      resource: 'partners',
      id: '5',
      version: '7',
      fields: fields('B'),
    });
    expect(deleted).toEqual({ key: key(deletion), op: 'delete', resource: 'partners', id: '6' });
    expect(followed).toEqual({
      key: key(follower),
      op: 'update',
      resource: 'partners',
      id: '5',
      after: key(edit),
      fields: fields('C'),
    });
  });

  test('names the image of a removal, and no id for a single record', () => {
    const removal = member({ op: 'delete-image', resource: 'generators', recordId: '5', imageId: 8, image: 'a.png' });
    const values = { title: 'Voltdesk' };
    const single = member({
      op: 'update',
      resource: 'site-meta',
      recordId: '1',
      values,
      files: [],
      base: { values, imageIds: [] },
    });
    const [removed, meta] = inJson(removal, single).changes;
    expect(removed).toMatchObject({ op: 'delete-image', id: '5', imageId: 8 });
    expect(meta).not.toHaveProperty('id');
    expect(meta).not.toHaveProperty('imageId');
    expect(meta).not.toHaveProperty('version');
  });

  test('carries each file’s bytes once, and names all files', async () => {
    const [one, other] = [fileOf('one', 'image', 3), fileOf('other', 'image', 5)];
    const bytes = (file: typeof one) => [file.sha256, new File([new Uint8Array(file.size)], file.name)] as const;
    const withFiles = (...files: (typeof one)[]) =>
      member(
        { ...creating(), op: 'create', resource: 'partners', recordId: 'local-1', values: partner('A'), files },
        { files: new Map(files.map(bytes)) },
      );
    const { body, bytes: count } = batchBody([withFiles(one), withFiles(one, other), member()]);
    const form = body as FormData;
    const names = [...form.keys()];
    expect(names.slice(1)).toEqual([one.sha256, other.sha256]);
    expect((form.get(one.sha256) as File).name).toBe('one.png');
    const text = form.get(names[0] ?? '') as string;
    expect(count).toBe(text.length + 8);
    const changes = JSON.parse(text) as { files?: unknown[] }[];
    expect(changes.map(({ files }) => files?.length)).toEqual([1, 2, undefined]);
    expect(changes[0]?.files).toEqual([{ field: 'image', sha256: one.sha256, name: 'one.png', type: 'image/png' }]);
  });
});
