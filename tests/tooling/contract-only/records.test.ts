import { beforeEach, describe, expect, it } from 'vitest';
import { RESOURCES, resourceOf } from '../../../src/domain/resources/index.ts';
import { png } from '../../harness/sample-files.ts';
import { errorsOf, filled, form, photo, signedIn, type Entry, type Client } from './client.ts';

const generators = resourceOf('generators');
const sliders = resourceOf('sliders');
const withoutFiles = ['catalog', 'images'];

describe.each(RESOURCES)('$name', (resource) => {
  const { create, list, single, delete: remove } = resource.endpoints;
  let client: Client;
  beforeEach(async () => {
    client = await signedIn();
  });

  it('are created, listed, read, updated and deleted, and no answer to a change carries an id', async () => {
    expect(await client.json(list)).toEqual([]);
    const created = await client.post(create, filled(resource));
    expect(await created.json()).toEqual({ message: `${resource.label.message} Created Successfully` });
    const columns = ['id', ...resource.columns.map((column) => column.field)];
    const rows = (await client.json(list)) as object[];
    expect(rows.map((row) => Object.keys(row))).toEqual([columns]);

    const record = (await client.json(`${single}/1`)) as Record<string, unknown>;
    expect('images' in record).toBe(resource.fields.some((field) => field.kind === 'images'));
    for (const field of resource.fields) expect(record[field.name], field.name).not.toBeUndefined();
    expect(record).not.toHaveProperty('version');

    const updated = await client.post(`${single}/1`, filled(resource, [], ['catalog', 'image', 'images']));
    expect(await updated.json()).toEqual({ message: `${resource.label.message} Updated Successfully` });
    const deleted = await client.post(`${remove}/1`);
    expect(await deleted.json()).toEqual({ message: `${resource.label.message} Deleted Successfully` });
    expect(await client.json(list)).toEqual([]);
    expect(client.backend.fileCount).toBe(0);
  });

  it('are duplicated by a repeated create, and never reuse an id', async () => {
    await client.post(create, filled(resource));
    await client.post(create, filled(resource));
    await client.post(`${remove}/2`);
    await client.post(create, filled(resource));
    expect(client.backend.rows(resource.name).map((row) => row.id)).toEqual([1, 3]);
  });

  it('require every field and file on create', async () => {
    const errors = await errorsOf(await client.post(create, form(['nothing', 'x'])));
    const required = resource.fields.filter((field) => field.required);
    expect(errors).toEqual(
      Object.fromEntries(required.map(({ name }) => [name, [`The ${name.replaceAll('_', ' ')} field is required.`]])),
    );
  });

  it('no longer exist for a second delete', async () => {
    await client.post(create, filled(resource));
    await client.post(`${remove}/1`);
    const answer = await client.post(`${remove}/1`);
    expect(answer.status).toBe(404);
    expect(await answer.json()).toEqual({
      message: expect.stringMatching(/^No query results for model \[App\\Models\\\w+\] 1$/),
    });
  });
});

describe('records', () => {
  let client: Client;
  beforeEach(async () => {
    client = await signedIn();
  });

  it('ignore the page of a list', async () => {
    await client.post('/api/create-project', filled(resourceOf('projects')));
    const first = await client.json('/api/get-projects?page=1');
    expect(first).toHaveLength(1);
    expect(await client.json('/api/get-projects?page=2')).toEqual(first);
  });

  it('show a project as the page does, with null for optional fields', async () => {
    await client.post('/api/create-project', filled(resourceOf('projects'), [['capacity', '']]));
    const record = (await client.json('/api/get-single-project/1')) as Record<string, unknown>;
    expect(Object.keys(record)).toEqual([
      'id',
      'client_name',
      'type',
      'capacity',
      'project_name',
      'description',
      'image',
      'created_at',
      'updated_at',
      'images',
    ]);
    expect(record).toMatchObject({ capacity: null, updated_at: '2026-11-20T10:32:13.000000Z' });
    expect(record['images']).toEqual([{ id: 1, image: expect.stringMatching(/^[A-Za-z0-9]{40}\.png$/) }]);
  });

  it('change their date with their fields, but not when only images are added or removed', async () => {
    await client.post('/api/create-generator', filled(generators));
    client.now += 5000;
    await client.post('/api/get-single-generator/1', filled(generators, [['images[]', photo]], ['catalog']));
    await client.post('/api/delete-image/1');
    expect(client.backend.rows('generators')[0]?.updated_at).toBe('2026-11-20T10:32:13.000000Z');
    await client.post('/api/get-single-generator/1', filled(generators, [['brand', 'Other']], withoutFiles));
    expect(client.backend.rows('generators')[0]?.updated_at).toBe('2026-11-20T10:32:18.000000Z');
  });

  it('share one table of images, deleted by id, including those of street lights', async () => {
    await client.post('/api/create-generator', filled(generators));
    await client.post('/api/create-st', filled(resourceOf('street-lights')));
    expect(await client.json('/api/get-single-st/1')).toMatchObject({ images: [{ id: 2 }] });
    const answer = await client.post('/api/delete-image/2');
    expect(await answer.json()).toEqual({ message: 'Image Deleted Successfully' });
    expect((await client.post('/api/delete-image/2')).status).toBe(404);
    expect(await client.json('/api/get-single-st/1')).toMatchObject({ images: [] });
    expect(await client.json('/api/get-single-generator/1')).toMatchObject({ images: [{ id: 1 }] });
    await client.post('/api/delete-st/1');
    expect(client.backend.rows('street-lights')).toEqual([]);
  });

  it('add images on update, twice when sent twice, and replace catalogue and image', async () => {
    await client.post('/api/create-generator', filled(generators));
    const before = String(client.backend.rows('generators')[0]?.['catalog']);
    const update = () => filled(generators, [['images[]', png('more.png', 2)]]);
    await client.post('/api/get-single-generator/1', update());
    await client.post('/api/get-single-generator/1', update());
    expect(client.backend.images('generators', 1)).toHaveLength(3);
    expect(client.backend.file(before)).toBeUndefined();
    expect(client.backend.file(String(client.backend.rows('generators')[0]?.['catalog']))?.type).toBe('pdf');
  });

  it('keep files that an update omits, and treat an empty catalogue as omitted', async () => {
    await client.post('/api/create-generator', filled(generators));
    const before = client.backend.rows('generators')[0]?.['catalog'];
    const update = filled(generators, [['catalog', '']], ['images']);
    expect((await client.post('/api/get-single-generator/1', update)).status).toBe(200);
    expect(client.backend.rows('generators')[0]?.['catalog']).toBe(before);
    expect(client.backend.images('generators', 1)).toHaveLength(1);
  });

  it('refuse a stored name sent back, an empty images[] and images without brackets', async () => {
    await client.post('/api/create-generator', filled(generators));
    const send = async (entry: Entry) =>
      errorsOf(await client.post('/api/get-single-generator/1', filled(generators, [entry], withoutFiles)));
    expect(await send(['catalog', 'abc.pdf'])).toEqual({
      catalog: ['The catalog must be a file.', 'The catalog must be a file of type: pdf, doc, docx, jpeg, jpg, png.'],
    });
    expect(await send(['images[]', ''])).toEqual({ 'images.0': expect.any(Array) });
    expect(await send(['images', photo])).toEqual({ images: ['The images must be an array.'] });
  });

  it('trim texts, and refuse blank or overlong ones', async () => {
    await client.post('/api/create-slider', filled(sliders, [['text', '  Solar  ']]));
    expect(client.backend.rows('sliders')[0]).toMatchObject({ text: 'Solar', serial: 3 });
    expect(await errorsOf(await client.post('/api/create-slider', filled(sliders, [['text', '  ']])))).toEqual({
      text: ['The text field is required.'],
    });
    const long = filled(sliders, [['text', 'x'.repeat(256)]]);
    expect(await errorsOf(await client.post('/api/create-slider', long))).toEqual({
      text: ['The text must not be greater than 255 characters.'],
    });
  });

  it('check numbers, addresses and lists', async () => {
    const refused = async (name: 'sliders' | 'partners' | 'ups' | 'certifications', entry: Entry) => {
      const resource = resourceOf(name);
      return errorsOf(await client.post(resource.endpoints.create, filled(resource, [entry])));
    };
    expect(await refused('sliders', ['serial', '1.5'])).toEqual({ serial: ['The serial must be an integer.'] });
    expect(await refused('partners', ['link', 'nowhere'])).toEqual({ link: ['The link must be a valid URL.'] });
    expect(await refused('ups', ['type', 'Other'])).toEqual({ type: ['The selected type is invalid.'] });
    expect(await refused('certifications', ['category', 'x'])).toEqual({
      category: ['The selected category is invalid.'],
    });
  });

  it('accept a UPS’s type and ignore series', async () => {
    const ups = resourceOf('ups');
    expect(await errorsOf(await client.post('/api/create-ups', filled(ups, [['series', 'Online']], ['type'])))).toEqual(
      {
        type: ['The type field is required.'],
      },
    );
  });
});
