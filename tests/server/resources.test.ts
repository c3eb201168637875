import { describe, expect, test } from 'vitest';
import { isAttachment } from '../../src/domain/fields.ts';
import { listedFields } from '../../src/domain/resource.ts';
import { RESOURCES } from '../../src/domain/resources/index.ts';
import { ups } from '../../src/domain/resources/ups.ts';
import { formOf, signedIn } from './harness.ts';
import { filesFor, sha256, valuesFor } from './samples.ts';

describe.each(RESOURCES)('$name', (resource) => {
  const { create, list, single, delete: remove } = resource.endpoints;

  test('is created, listed, read, updated and deleted', async () => {
    const { admin } = await signedIn();
    const values = valuesFor(resource.fields);
    const files = await filesFor(resource);

    const created = await admin.post(create, formOf(values, files));
    expect(created.json()).toMatchObject({ message: `${resource.label.message} Created Successfully` });
    const { id, version } = created.json();

    const record = (await admin.get(`${single}/${id}`)).json();
    for (const [name, value] of Object.entries(values)) expect(String(record[name])).toBe(value);
    expect(record.version).toBe(version);
    const own = resource.fields.map(({ name }) => name);
    const members = ['id', 'version', 'created_at', 'updated_at', ...own];
    expect(Object.keys(record).toSorted()).toEqual([...members, 'files'].toSorted());
    const [whole] = (await admin.get(`${list}?full=1`)).json();
    expect(Object.keys(whole).toSorted()).toEqual(members.toSorted());

    const rows = (await admin.get(list)).json();
    expect(rows).toHaveLength(1);
    const images = resource.fields.some(({ kind }) => kind === 'images') ? ['photo'] : [];
    const document = resource.fields.some(({ kind }) => kind === 'file') ? ['has_catalog'] : [];
    expect(Object.keys(rows[0]).toSorted()).toEqual(
      ['id', 'version', ...listedFields(resource), ...images, ...document].toSorted(),
    );
    for (const name of resource.facts) expect(String(rows[0][name])).toBe(values[name]);
    if (images.length > 0) expect(rows[0].photo).toBe(record.images[0].image);
    if (document.length > 0) expect(rows[0].has_catalog).toBe(1);
    expect(rows[0].version).toBe(version);

    const changed = valuesFor(resource.fields, 'other');
    const updated = await admin.post(`${single}/${id}`, formOf(changed), { 'if-match': `"${version}"` });
    expect(updated.json().message).toBe(`${resource.label.message} Updated Successfully`);
    expect(updated.json().version).not.toBe(version);
    const after = (await admin.get(`${single}/${id}`)).json();
    for (const [name, value] of Object.entries(changed)) expect(String(after[name])).toBe(value);
    expect(after.files).toEqual(record.files);

    const deleted = await admin.post(`${remove}/${id}`, undefined);
    expect(deleted.json()).toEqual({ message: `${resource.label.message} Deleted Successfully` });
    expect((await admin.get(list)).json()).toEqual([]);
    expect((await admin.get(`${single}/${id}`)).statusCode).toBe(404);
  });

  test('stores the hash of every file as it was received', async () => {
    const { admin } = await signedIn();
    const files = await filesFor(resource);
    const { id } = (await admin.post(create, formOf(valuesFor(resource.fields), files))).json();
    const record = (await admin.get(`${single}/${id}`)).json();
    expect(record.files.map((file: { sha256: string }) => file.sha256).toSorted()).toEqual(
      files.map((file) => sha256(file.bytes)).toSorted(),
    );
    for (const { name } of record.files) expect((await admin.get(`/uploads/${name}`)).statusCode).toBe(200);
  });

  test('refuses an empty form with a message for every required field', async () => {
    const { admin } = await signedIn();
    const refused = await admin.post(create, formOf({}));
    expect(refused.statusCode).toBe(422);
    const required = resource.fields.filter((field) => field.required).map((field) => field.name);
    expect(Object.keys(refused.json().errors).toSorted()).toEqual(required.toSorted());
  });

  test('refuses files of a wrong type under their own keys, and stores nothing', async () => {
    const { admin, app } = await signedIn();
    const fields = resource.fields.filter(isAttachment);
    const files = (await filesFor(resource)).map((file) => ({ ...file, bytes: new Uint8Array(Buffer.from('<svg/>')) }));
    const refused = await admin.post(create, formOf(valuesFor(resource.fields), files));
    expect(refused.statusCode).toBe(422);
    const keys = fields.flatMap((field) => (field.kind === 'images' ? ['images.0', 'images.1'] : [field.name]));
    expect(Object.keys(refused.json().errors).toSorted()).toEqual(keys.toSorted());
    expect(await app.services.db.selectFrom('files').selectAll().execute()).toEqual([]);
  });
});

test('accepts the type of a UPS under its other name too', async () => {
  const { admin } = await signedIn();
  const { type, ...values } = valuesFor(ups.fields);
  const form = formOf({ ...values, series: type ?? '' }, await filesFor(ups));
  const { id } = (await admin.post(ups.endpoints.create, form)).json();
  expect((await admin.get(`${ups.endpoints.single}/${id}`)).json().type).toBe(type);
});

test('returns each record with its own pictures, though one of another kind has the same id', async () => {
  const { admin } = await signedIn();
  const kinds = RESOURCES.filter(({ fields }) => fields.some(({ kind }) => kind === 'images'));
  for (const kind of kinds) {
    const form = formOf(valuesFor(kind.fields), await filesFor(kind));
    expect((await admin.post(kind.endpoints.create, form)).json().id).toBe(1);
  }
  for (const { endpoints } of kinds) {
    const { images, files } = (await admin.get(`${endpoints.single}/1`)).json();
    expect([images.length, files.length]).toEqual([2, 3]);
    expect((await admin.get(endpoints.list)).json()).toMatchObject([{ photo: images[0].image }]);
    expect((await admin.get(`${endpoints.list}?full=1`)).json()).toMatchObject([{ images }]);
  }
});
