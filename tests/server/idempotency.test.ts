import { expect, test } from 'vitest';
import { CHANGES_PATH } from '../../src/domain/protocol/capabilities.ts';
import { certifications } from '../../src/domain/resources/certifications.ts';
import { generators } from '../../src/domain/resources/generators.ts';
import { partners } from '../../src/domain/resources/partners.ts';
import { projects } from '../../src/domain/resources/projects.ts';
import { siteMeta } from '../../src/domain/resources/site-meta.ts';
import { addUser } from '../../server/stores/sql/users.ts';
import { change, sendBatch, statuses } from './batch-client.ts';
import { formOf, signedIn, withKey } from './harness.ts';
import { filesFor, picture, sha256, valuesFor } from './samples.ts';
import { named } from './staging-client.ts';

const generatorForm = async (mark = 'one') =>
  formOf(valuesFor(generators.fields, mark), await filesFor(generators, mark));

async function twoSignedIn() {
  const server = await signedIn();
  const at = new Date().toISOString();
  await addUser(server.app.services, { name: 'Other', email: 'other@example.com', password: 'four grey donkeys', at });
  const other = await server.client();
  await other.signIn('other@example.com', 'four grey donkeys');
  return { ...server, other };
}

test('answers a repeated create from storage, and makes no second row', async () => {
  const { admin } = await signedIn();
  const key = withKey();
  const first = await admin.post(generators.endpoints.create, await generatorForm(), key);
  const second = await admin.post(generators.endpoints.create, await generatorForm(), key);
  expect(second.statusCode).toBe(200);
  expect(second.json()).toEqual(first.json());
  expect(first.headers['idempotent-replayed']).toBeUndefined();
  expect(second.headers['idempotent-replayed']).toBe('true');
  expect((await admin.get(generators.endpoints.list)).json()).toHaveLength(1);
});

test('applies simultaneous requests with one key once', async () => {
  const { admin, app } = await signedIn();
  const key = withKey();
  const forms = await Promise.all(Array.from({ length: 8 }, () => generatorForm()));
  const answers = await Promise.all(forms.map((form) => admin.post(generators.endpoints.create, form, key)));
  const refused = answers.filter((answer) => answer.statusCode !== 200);
  for (const answer of refused) {
    expect(answer.statusCode).toBe(409);
    expect(answer.json().code).toBe('in-flight');
  }
  expect((await admin.get(generators.endpoints.list)).json()).toHaveLength(1);
  expect(await app.services.db.selectFrom('images').selectAll().execute()).toHaveLength(2);
  expect(await app.services.db.selectFrom('files').selectAll().execute()).toHaveLength(3);
});

test.each(['alone', 'together'])(
  'recognises a multi-line text of a batch sent before the update, repeated %s',
  async (way) => {
    const { admin, app } = await signedIn();
    const fields = { ...valuesFor(projects.fields), description: 'one\ntwo\n\nthree' };
    const parts = await filesFor(projects);
    const files = parts.map(({ field, bytes }) => named(field.replace('[]', ''), bytes));
    const create = change('create', 'projects', { id: 'local-1', fields, files });
    const together = () => sendBatch(admin, [create], parts);
    const alone = () => admin.post(projects.endpoints.create, formOf(fields, parts), { 'idempotency-key': create.key });
    const first = await together();
    expect(statuses(first)).toEqual([200]);
    // the server took the line ends as they came
    const texts = Object.entries(fields).toSorted(([one], [other]) => (one < other ? -1 : 1));
    const hashes = files.map((file) => [file.field, file.sha256]);
    const payload = JSON.stringify(['POST', projects.endpoints.create, null, texts, hashes]);
    const fingerprint = sha256(Buffer.from(payload));
    await app.services.db.updateTable('idempotency_keys').set({ fingerprint }).execute();
    const again = await (way === 'alone' ? alone() : together());
    expect([again.statusCode, again.body]).toEqual([200, expect.stringContaining('Project Created Successfully')]);
    expect((await admin.get(projects.endpoints.list)).json()).toHaveLength(1);
    fields.description += '.';
    expect((await alone()).json().code).toBe('idempotency-key-reused');
  },
);

test('refuses another payload under the same key', async () => {
  const { admin } = await signedIn();
  const key = withKey();
  await admin.post(generators.endpoints.create, await generatorForm('one'), key);
  const other = await admin.post(generators.endpoints.create, await generatorForm('two'), key);
  expect(other.statusCode).toBe(422);
  const message = 'This Idempotency-Key was already used for another change.';
  expect(other.json()).toEqual({ message, code: 'idempotency-key-reused' });
  expect((await admin.get(generators.endpoints.list)).json()).toHaveLength(1);
});

test('distinguishes payloads by a single byte of a file', async () => {
  const { admin } = await signedIn();
  const key = withKey();
  const values = valuesFor(certifications.fields);
  const file = async (colour: string) => [
    { field: 'image', bytes: await picture('png', colour), name: 'a.png', type: 'image/png' },
  ];
  await admin.post(certifications.endpoints.create, formOf(values, await file('#000000')), key);
  const other = await admin.post(certifications.endpoints.create, formOf(values, await file('#000001')), key);
  expect(other.json().code).toBe('idempotency-key-reused');
});

test('distinguishes payloads by the field of a file', async () => {
  const { admin } = await signedIn();
  const key = withKey();
  const values = valuesFor(projects.fields);
  const [one, other] = [await picture('png', '#000000'), await picture('png', '#000001')];
  const file = (field: string, bytes: Uint8Array<ArrayBuffer>) => ({ field, bytes, name: 'a.png', type: 'image/png' });
  const form = (first: string, second: string) => formOf(values, [file(first, one), file(second, other)]);
  expect((await admin.post(projects.endpoints.create, form('image', 'images[]'), key)).statusCode).toBe(200);
  const exchanged = await admin.post(projects.endpoints.create, form('images[]', 'image'), key);
  expect(exchanged.json().code).toBe('idempotency-key-reused');
});

test('distinguishes payloads by their texts and by their record', async () => {
  const { admin } = await signedIn();
  const save = (id: number, name: string, key = withKey()) =>
    admin.post(`${partners.endpoints.single}/${id}`, { name }, key);
  for (const name of ['one', 'two']) {
    const form = formOf({ name }, await filesFor(partners));
    expect((await admin.post(partners.endpoints.create, form)).statusCode).toBe(200);
  }
  const key = withKey();
  expect((await save(1, 'new', key)).statusCode).toBe(200);
  expect((await save(1, 'newer', key)).json().code).toBe('idempotency-key-reused');
  expect((await save(2, 'new', key)).json().code).toBe('idempotency-key-reused');
});

test('treats payloads with reordered texts as the same', async () => {
  const { admin } = await signedIn();
  const key = withKey();
  const values = valuesFor(siteMeta.fields);
  const reversed = Object.fromEntries(Object.entries(values).toReversed());
  await admin.post(siteMeta.endpoints.single, values, key);
  const again = await admin.post(siteMeta.endpoints.single, reversed, key);
  expect([again.statusCode, again.headers['idempotent-replayed']]).toEqual([200, 'true']);
});

test('does not store a refusal, so that the same key may succeed later', async () => {
  const { admin, app } = await signedIn();
  const key = withKey();
  const values = { ...valuesFor(generators.fields), series: 'New Series' };
  const files = await filesFor(generators);
  expect((await admin.post(generators.endpoints.create, formOf(values, files), key)).statusCode).toBe(422);
  await app.services.db
    .insertInto('lookups')
    .values({ lookup: 'generator-series', parent: '', value: 'New Series' })
    .execute();
  expect((await admin.post(generators.endpoints.create, formOf(values, files), key)).statusCode).toBe(200);
});

test('applies a repeated update, image removal, delete and settings save once', async () => {
  const { admin } = await signedIn();
  const { id, version } = (await admin.post(generators.endpoints.create, await generatorForm())).json();
  const single = `${generators.endpoints.single}/${id}`;
  const twice = async (url: string, form: () => Promise<FormData | undefined>, extra: Record<string, string> = {}) => {
    const headers = { ...withKey(), ...extra };
    const first = await admin.post(url, await form(), headers);
    const second = await admin.post(url, await form(), headers);
    expect(first.statusCode).toBe(200);
    expect(second.statusCode).toBe(200);
    expect(second.json()).toEqual(first.json());
    expect(second.headers['idempotent-replayed']).toBe('true');
  };
  await twice(single, () => generatorForm('two'), { 'if-match': `"${version}"` });
  const record = (await admin.get(single)).json();
  expect(record.images).toHaveLength(4);
  await twice(`/api/delete-image/${record.images[0].id}`, async () => undefined);
  expect((await admin.get(single)).json().images).toHaveLength(3);
  await twice(siteMeta.endpoints.single, async () => formOf(valuesFor(siteMeta.fields)));
  await twice(`${generators.endpoints.delete}/${id}`, async () => undefined);
});

test('remembers keys across a restart', async () => {
  const { admin, app, dataDir } = await signedIn();
  const key = withKey();
  const first = await admin.post(generators.endpoints.create, await generatorForm(), key);
  await app.close();
  const again = await signedIn({ DATA_DIR: dataDir });
  const second = await again.admin.post(generators.endpoints.create, await generatorForm(), key);
  expect(second.json()).toEqual(first.json());
  expect((await again.admin.get(generators.endpoints.list)).json()).toHaveLength(1);
});

test('keeps one administrator’s keys separate from another’s', async () => {
  const { admin, other } = await twoSignedIn();
  const key = withKey();
  await admin.post(generators.endpoints.create, await generatorForm(), key);
  const answer = await other.post(generators.endpoints.create, await generatorForm(), key);
  expect(answer.headers['idempotent-replayed']).toBeUndefined();
  expect((await admin.get(generators.endpoints.list)).json()).toHaveLength(2);
});

test('refuses a malformed key', async () => {
  const { admin } = await signedIn();
  const answer = await admin.post(generators.endpoints.create, await generatorForm(), { 'idempotency-key': 'a b' });
  expect(answer.statusCode).toBe(400);
});

test('returns the stored answer to a change by its key', async () => {
  const { admin } = await signedIn();
  const key = withKey();
  const first = await admin.post(generators.endpoints.create, await generatorForm(), key);
  const again = await admin.get(`${CHANGES_PATH}/${key['idempotency-key']}`);
  expect(again.statusCode).toBe(200);
  expect(again.json()).toEqual(first.json());
  expect(again.headers['cache-control']).toBe('no-store');
});

test('returns no answer for an unused key, a refused change, or someone else’s key', async () => {
  const { admin, other } = await twoSignedIn();
  const [carriedOut, refused] = [withKey(), withKey()];
  await admin.post(generators.endpoints.create, await generatorForm(), carriedOut);
  await admin.post(generators.endpoints.create, formOf({}, []), refused);
  const asked = [
    await admin.get(`${CHANGES_PATH}/${withKey()['idempotency-key']}`),
    await admin.get(`${CHANGES_PATH}/${refused['idempotency-key']}`),
    await other.get(`${CHANGES_PATH}/${carriedOut['idempotency-key']}`),
  ];
  expect(asked.map(({ statusCode }) => statusCode)).toEqual([404, 404, 404]);
  for (const answer of asked) expect(answer.json()).toEqual({ message: 'No change has been made with this key.' });
});

test('reports a change by its key as in flight while it is executed', async () => {
  const { admin, app } = await signedIn();
  const asking = () => admin.get(`${CHANGES_PATH}/under-way`);
  const answer = await app.services.running.alone({ userId: 1, key: 'under-way' }, asking);
  expect([answer.statusCode, answer.json().code]).toEqual([409, 'in-flight']);
});

test('looks up a change by a key of the maximum length', async () => {
  const { admin } = await signedIn();
  const key = 'k'.repeat(128);
  const { id } = (await admin.post(generators.endpoints.create, await generatorForm(), withKey(key))).json();
  expect((await admin.get(`${CHANGES_PATH}/${key}`)).json()).toMatchObject({ id });
});
