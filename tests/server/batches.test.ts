import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ChangeAnswer } from '../../server/stores/store.ts';
import type { BatchedChange } from '../../src/domain/protocol/batch.ts';
import { CHANGES_PATH } from '../../src/domain/protocol/capabilities.ts';
import { generators } from '../../src/domain/resources/generators.ts';
import { partners } from '../../src/domain/resources/partners.ts';
import { siteMeta } from '../../src/domain/resources/site-meta.ts';
import { formOf, signedIn } from './harness.ts';
import { pdf, valuesFor } from './samples.ts';
import { bigPdf, named, stage } from './staging-client.ts';
import { change, linesOf, sendBatch, world, statuses } from './batch-client.ts';

test('executes changes in order and answers each with its own line', async () => {
  const { send, partner, names } = await world();
  const batch = [partner('local-1', 'one'), partner('local-2', 'two'), partner('local-3', 'three')];
  const answer = await send(...batch);
  expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'application/x-ndjson']);
  const lines = linesOf(answer);
  expect(lines.map(({ key, status }) => [key, status])).toEqual(batch.map(({ key }) => [key, 200]));
  expect(lines[0]?.body).toMatchObject({ message: 'Partner Created Successfully', id: 1 });
  expect(await names()).toEqual(['one', 'two', 'three']);
});

test('sends the first answer while the second change is still being executed', async () => {
  const { app, admin, partner, logo } = await world();
  const { keep } = app.services.reserve;
  let finish: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (finish = resolve));
  let changes = 0;
  const hold = async () => {
    changes += 1;
    if (changes === 2) await held;
    return keep();
  };
  Object.assign(app.services.reserve, { keep: hold });
  const answer = await sendBatch(
    { post: async (url, form, extra = {}) => admin.post(url, form, extra, true) },
    [partner('local-1', 'one'), partner('local-2', 'two')],
    [logo],
  );
  let text = '';
  for await (const chunk of answer.stream()) {
    text += chunk;
    if (linesOf({ body: text }).length === 1) finish();
  }
  expect(linesOf({ body: text }).map(({ status }) => status)).toEqual([200, 200]);
});

test('executes a change to a record created in the batch, based on its latest version', async () => {
  const { send, partner, names, admin } = await world();
  const created = partner('local-1', 'one');
  const edit = (name: string, after: string) =>
    change('update', 'partners', { id: 'local-1', fields: { name }, after });
  const first = edit('two', created.key);
  const second = edit('three', first.key);
  const answer = await send(created, first, second);
  expect(statuses(answer)).toEqual([200, 200, 200]);
  expect(await names()).toEqual(['three']);
  const { version } = (await admin.get(`${partners.endpoints.single}/1`)).json();
  expect((linesOf(answer)[2]?.body as ChangeAnswer | undefined)?.version).toBe(version);
  expect(statuses(await send(change('delete', 'partners', { id: '1', version })))).toEqual([200]);
  expect(await names()).toEqual([]);
});

test('fails the later changes of a record with the key of the failed one, and no others', async () => {
  const { send, partner, names } = await world();
  const bad = change('create', 'partners', { id: 'local-1', fields: { name: '' } });
  const edit = change('update', 'partners', { id: 'local-1', fields: { name: 'edited' }, after: bad.key });
  const again = change('delete', 'partners', { id: 'local-1' });
  const other = partner('local-2', 'other');
  const answer = await send(bad, edit, other, again);
  expect(statuses(answer)).toEqual([422, 424, 200, 424]);
  for (const line of [linesOf(answer)[1], linesOf(answer)[3]])
    expect(line?.body).toMatchObject({ code: 'earlier-change-failed', earlier: bad.key });
  expect(await names()).toEqual(['other']);
});

test('fails the later changes of a record under its server id as well as its local id', async () => {
  const { send, partner, names } = await world();
  const created = partner('local-1', 'one');
  const stale = change('update', 'partners', { id: 'local-1', fields: { name: 'stale' }, version: 'another' });
  const byId = change('update', 'partners', { id: '1', fields: { name: 'by id' } });
  const answer = await send(created, stale, byId);
  expect(statuses(answer)).toEqual([200, 412, 424]);
  expect(linesOf(answer)[2]?.body).toMatchObject({ earlier: stale.key });
  expect(await names()).toEqual(['one']);
});

test('tries a change of another kind, though its record has the id of one that failed', async () => {
  const { send, partner } = await world();
  const stale = change('update', 'partners', { id: '1', fields: { name: 'stale' }, version: 'another' });
  const other = change('delete', 'projects', { id: '1', version: 'any' });
  const answer = await send(partner('local-1', 'one'), stale, other);
  expect(statuses(answer)).toEqual([200, 412, 404]);
});

test('does not try a change to a local record that was never created', async () => {
  const { send } = await world();
  const answer = await send(change('update', 'partners', { id: 'local-9', fields: { name: 'x' } }));
  expect(linesOf(answer)).toMatchObject([{ status: 424, body: { code: 'record-unknown' } }]);
});

test('accepts every kind of change', async () => {
  const { send, admin, logo } = await world();
  const catalog = { field: 'catalog', bytes: pdf(), name: 'part.pdf', type: 'application/pdf' };
  const files = [
    named('catalog', catalog.bytes, 'Prices.pdf'),
    ...['a.png', 'b.png'].map((name) => named('images', logo.bytes, name)),
  ];
  const created = change('create', 'generators', { id: 'local-1', fields: valuesFor(generators.fields), files });
  expect(statuses(await sendBatch(admin, [created], [catalog, logo]))).toEqual([200]);
  const { images, version, files: stored } = (await admin.get(`${generators.endpoints.single}/1`)).json();
  expect(stored[0].originalName).toBe('Prices.pdf');
  const removed = change('delete-image', 'generators', { id: '1', imageId: images[1].id, version });
  const deleted = change('delete', 'generators', { id: '1', after: removed.key });
  const settings = change('update', 'site-meta', { fields: valuesFor(siteMeta.fields, 'new') });
  const answer = await send(removed, deleted, settings);
  expect(statuses(answer)).toEqual([200, 200, 200]);
  expect((await admin.get(siteMeta.endpoints.single)).json().title).toBe('Title new');
  expect((await admin.get(generators.endpoints.list)).json()).toEqual([]);
  const left = (linesOf(answer)[0]?.body as ChangeAnswer | undefined)?.version;
  for (const [{ key }, url, form, tag] of [
    [removed, `/api/delete-image/${images[1].id}`, {}, version],
    [deleted, `${generators.endpoints.delete}/1`, {}, left],
    [settings, siteMeta.endpoints.single, valuesFor(siteMeta.fields, 'new'), undefined],
  ] as const) {
    const headers = { 'idempotency-key': key, ...(tag === undefined ? {} : { 'if-match': `"${tag}"` }) };
    expect((await admin.post(url, form, headers)).headers['idempotent-replayed']).toBe('true');
  }
});

test('accepts attached files, staged files, and one file for several changes', async () => {
  const { admin, logo, dataDir, partner } = await world();
  const bytes = bigPdf(400_000);
  await stage(admin, bytes);
  const files = [named('catalog', bytes), named('images', logo.bytes)];
  const fields = valuesFor(generators.fields);
  const generator = change('create', 'generators', { id: 'local-g', fields, files });
  const missing = change('create', 'generators', { id: 'local-m', fields, files: [named('catalog', bigPdf(999))] });
  const answer = await sendBatch(admin, [generator, missing, partner('local-p', 'one')], [logo]);
  expect(statuses(answer)).toEqual([200, 409, 200]);
  expect(linesOf(answer)[1]?.body).toMatchObject({ code: 'stage-again' });
  expect(await readdir(join(dataDir, 'uploads', '.incoming'))).toEqual([]);
});

test('recognises a change by its key, whether it was sent alone or in a batch', async () => {
  const { admin, send, partner, logo, names } = await world();
  const [alone, together] = [partner('local-1', 'alone'), partner('local-2', 'together')];
  const single = (key: string, name: string) =>
    admin.post(partners.endpoints.create, formOf({ name }, [logo]), { 'idempotency-key': key });
  const first = await single(alone.key, 'alone');
  const answer = await send(alone, together);
  expect(linesOf(answer)).toMatchObject([{ status: 200, body: first.json(), replayed: true }, { status: 200 }]);
  expect(linesOf(answer)[1]).not.toHaveProperty('replayed');
  const repeated = await single(together.key, 'together');
  expect([repeated.json(), repeated.headers['idempotent-replayed']]).toEqual([linesOf(answer)[1]?.body, 'true']);
  expect((await single(together.key, 'another')).json().code).toBe('idempotency-key-reused');
  expect(await names()).toEqual(['alone', 'together']);
});

test.each(['alone', 'together'])('recognises a multi-line text by its key if it was first sent %s', async (first) => {
  const { admin, send } = await world();
  const fields = { ...valuesFor(siteMeta.fields), metaTag: 'one\ntwo\r\nthree\n\nfour' };
  const edit = change('update', 'site-meta', { fields });
  // a form converts every line end to CR LF, JSON does not
  const alone = () => admin.post(siteMeta.endpoints.single, formOf(fields), { 'idempotency-key': edit.key });
  const together = () => send(edit);
  const [one, other] = first === 'alone' ? [alone, together] : [together, alone];
  await one();
  const { version } = (await admin.get(siteMeta.endpoints.single)).json();
  const repeated = await other();
  expect([repeated.statusCode, repeated.body]).toEqual([200, expect.stringContaining(version)]);
  expect((await admin.get(siteMeta.endpoints.single)).json().version).toBe(version);
});

test('recognises an edit by its key, whichever way it states its version', async () => {
  const { admin, send, partner } = await world();
  const created = partner('local-1', 'one');
  const edit = change('update', 'partners', { id: 'local-1', fields: { name: 'two' }, after: created.key });
  const [first] = linesOf(await send(created, edit));
  const version = (first?.body as ChangeAnswer | undefined)?.version;
  const headers = { 'idempotency-key': edit.key, 'if-match': `"${version}"` };
  const single = await admin.post(`${partners.endpoints.single}/1`, formOf({ name: 'two' }), headers);
  expect([single.statusCode, single.headers['idempotent-replayed']]).toEqual([200, 'true']);
});

test('answers a repeated batch from storage, and creates nothing twice', async () => {
  const { send, partner, names } = await world();
  const created = partner('local-1', 'one');
  const batch = [created, change('update', 'partners', { id: 'local-1', fields: { name: 'two' }, after: created.key })];
  const first = linesOf(await send(...batch));
  const again = linesOf(await send(...batch));
  expect(again).toEqual(first.map((line) => ({ ...line, replayed: true })));
  expect(await names()).toEqual(['two']);
});

test('resumes an interrupted batch: replays the answers it has and executes the rest', async () => {
  const { send, partner, names, admin } = await world();
  const batch = ['one', 'two', 'three', 'four'].map((name) => partner(`local-${name}`, name));
  await send(...batch.slice(0, 2));
  const keys = batch.map(({ key }) => key).join(',');
  const { answers } = (await admin.get(`${CHANGES_PATH}?keys=${keys}`)).json();
  expect(batch.map(({ key }) => answers[key].status)).toEqual([200, 200, 404, 404]);
  expect(answers[batch[0]?.key ?? ''].body).toMatchObject({ message: 'Partner Created Successfully', id: 1 });
  expect(linesOf(await send(...batch)).map(({ replayed }) => replayed)).toEqual([true, true, undefined, undefined]);
  expect(await names()).toEqual(['one', 'two', 'three', 'four']);
});

test('reports a change waiting in a batch as in flight, and lets no other request overtake it', async () => {
  const { app, admin, partner, logo, names } = await world();
  const [one, two] = [partner('local-1', 'one'), partner('local-2', 'two')];
  let asked: number[] = [];
  const ask = async () => {
    const { answers } = (await admin.get(`${CHANGES_PATH}?keys=${one.key},${two.key}`)).json();
    const alone = await admin.get(`${CHANGES_PATH}/${two.key}`);
    const again = await admin.post(partners.endpoints.create, formOf({ name: 'two' }, [logo]), {
      'idempotency-key': two.key,
    });
    const other = linesOf(await sendBatch(admin, [two], [logo]));
    asked = [answers[two.key].status, alone.statusCode, again.statusCode, other[0]?.status ?? 0];
  };
  const { keep } = app.services.reserve;
  let first = true;
  Object.assign(app.services.reserve, {
    keep: async () => {
      if (first) {
        first = false;
        await ask();
      }
      return keep();
    },
  });
  expect(statuses(await sendBatch(admin, [one, two], [logo]))).toEqual([200, 200]);
  expect(asked).toEqual([409, 409, 409, 409]);
  expect(await names()).toEqual(['one', 'two']);
});

/** Two changes, the second following the first. */
function following(first: Partial<BatchedChange>, second: Partial<BatchedChange>): readonly BatchedChange[] {
  const before = change('update', 'partners', { id: '1', ...first });
  return [before, change('update', 'partners', { id: '1', after: before.key, ...second })];
}

test.each([
  ['no list', { changes: 'x' }],
  ['an empty list', { changes: [] }],
  ['a change without a key', { changes: [{ op: 'delete', resource: 'partners', id: '1' }] }],
  [
    'a key that occurs twice',
    { changes: [1, 2].map((id) => ({ ...change('delete', 'partners'), key: 'k'.repeat(9), id: `${id}` })) },
  ],
  ['an unknown kind', { changes: [{ ...change('delete', 'partners', { id: '1' }), resource: 'secrets' }] }],
  ['an unknown operation', { changes: [{ ...change('delete', 'partners', { id: '1' }), op: 'steal' }] }],
  ['no record', { changes: [change('delete', 'partners')] }],
  ['a new record with an id of the server', { changes: [change('create', 'partners', { id: '7' })] }],
  ['an image without its id', { changes: [change('delete-image', 'generators', { id: '1' })] }],
  ['settings to delete', { changes: [change('delete', 'site-meta', { id: '1' })] }],
  ['fields that are not texts', { changes: [{ ...change('update', 'partners', { id: '1' }), fields: { name: {} } }] }],
  ['files that are not a list', { changes: [{ ...change('update', 'partners', { id: '1' }), files: {} }] }],
  ['a version that is not a text', { changes: [{ ...change('delete', 'partners', { id: '1' }), version: 7 }] }],
  ['a local id that occurs twice', { changes: [1, 2].map(() => change('create', 'partners', { id: 'local-1' })) }],
  ['an image with the id 0', { changes: [change('delete-image', 'generators', { id: '1', imageId: 0 })] }],
  ['settings to delete without an id', { changes: [change('delete', 'site-meta')] }],
  ['an id that is too long', { changes: [change('update', 'partners', { id: 'x'.repeat(101) })] }],
  ['a change that follows a later one', { changes: following({ id: '1' }, { id: '1' }).toReversed() }],
  ['a change that follows one of another record', { changes: following({ id: '1' }, { id: '2' }) }],
  ['a change that follows one of another kind', { changes: following({ resource: 'projects' }, {}) }],
  [
    'a change that follows an unknown one',
    { changes: [change('update', 'partners', { id: '1', after: 'change-of-nobody' })] },
  ],
])('refuses a batch with %s as a whole', async (_what, body) => {
  const { admin } = await signedIn();
  const answer = await admin.post(CHANGES_PATH, body);
  expect([answer.statusCode, answer.headers['content-type']]).toEqual([400, 'application/json; charset=utf-8']);
});

test('refuses a followed change that is not a text, and says so', async () => {
  const { admin } = await signedIn();
  const odd = { ...change('delete', 'partners', { id: '1' }), after: 7 };
  const answer = await admin.post(CHANGES_PATH, { changes: [odd] });
  expect(answer.json().message).toBe(`The version of ${odd.key} is no text.`);
});

test('refuses a form whose changes are not JSON, and says so', async () => {
  const { admin } = await signedIn();
  const answer = await admin.post(CHANGES_PATH, formOf({ changes: '[{' }));
  expect([answer.statusCode, answer.json()]).toEqual([400, { message: 'The changes are not JSON.', code: 'no-batch' }]);
});
