import { expect, test } from 'vitest';
import { generators } from '../../src/domain/resources/generators.ts';
import { projects } from '../../src/domain/resources/projects.ts';
import type { Resource } from '../../src/domain/resource.ts';
import { type Client, formOf, signedIn } from './harness.ts';
import { filesFor, valuesFor } from './samples.ts';

interface Stored {
  readonly version: string;
  readonly image?: string;
  readonly images: readonly { readonly id: number; readonly image: string }[];
}

async function create(admin: Client, resource: Resource) {
  const form = formOf(valuesFor(resource.fields), await filesFor(resource));
  const { id } = (await admin.post(resource.endpoints.create, form)).json() as { id: number };
  const single = `${resource.endpoints.single}/${id}`;
  const read = async () => (await admin.get(single)).json() as Stored;
  const remove = () => admin.post(`${resource.endpoints.delete}/${id}`, undefined);
  return { single, read, remove, ...(await read()) };
}

const removeImage = (admin: Client, id: number | undefined) => admin.post(`/api/delete-image/${id}`, undefined);

test('removes only the image with that id, and touches no other record of any kind', async () => {
  const { admin } = await signedIn();
  const [generator, project] = [await create(admin, generators), await create(admin, projects)];
  const ids = [...generator.images, ...project.images].map((image) => image.id);
  expect(new Set(ids).size).toBe(ids.length);
  // another spelling of a number is not an id
  for (const spelled of [`0${ids[0]}`, `${ids[0]}.0`, `${ids[0]}e0`, `%20${ids[0]}`])
    expect((await admin.post(`/api/delete-image/${spelled}`, undefined)).statusCode).toBe(404);
  expect((await removeImage(admin, project.images[0]?.id)).statusCode).toBe(200);
  expect(await generator.read()).toMatchObject({ version: generator.version, images: generator.images });
  expect((await project.read()).images).toEqual(project.images.slice(1));
});

test('finds no image under the id of a removed one, nor of a deleted record', async () => {
  const { admin } = await signedIn();
  const [kept, gone] = [await create(admin, generators), await create(admin, generators)];
  await removeImage(admin, kept.images[0]?.id);
  await gone.remove();
  for (const id of [kept.images[0]?.id, ...gone.images.map((image) => image.id)]) {
    expect((await removeImage(admin, id)).statusCode).toBe(404);
  }
  expect((await kept.read()).images).toEqual(kept.images.slice(1));
});

test('never reuses an image id, so that a removal queued on a device cannot hit another picture', async () => {
  const { admin } = await signedIn();
  const first = await create(admin, generators);
  await first.remove();
  const second = await create(admin, generators);
  const old = first.images.map((image) => image.id);
  for (const { id } of second.images) expect(old).not.toContain(id);
});

test('does not take over another record’s image by name', async () => {
  const { admin } = await signedIn();
  const [mine, other] = [await create(admin, projects), await create(admin, projects)];
  for (const field of ['image', 'images[]', 'images']) {
    const values = { ...valuesFor(projects.fields), [field]: other.image ?? '' };
    const answer = await admin.post(mine.single, formOf(values));
    if (answer.statusCode !== 200) expect(answer.statusCode).toBe(422);
  }
  expect(await mine.read()).toMatchObject({ image: mine.image, images: mine.images });
});

test('lists each record with its own pictures, even after another kind’s record with its id is deleted', async () => {
  const { admin } = await signedIn();
  const [generator, project] = [await create(admin, generators), await create(admin, projects)];
  expect(generator.single.split('/').at(-1)).toBe(project.single.split('/').at(-1));
  for (const [kind, own] of [
    [generators, generator],
    [projects, project],
  ] as const) {
    const [row] = (await admin.get(kind.endpoints.list)).json();
    const [whole] = (await admin.get(`${kind.endpoints.list}?full=1`)).json();
    expect([row.photo, whole.images]).toEqual([own.images[0]?.image, own.images]);
  }
  await generator.remove();
  expect((await project.read()).images).toEqual(project.images);
});

test('returns when a record was last changed', async () => {
  let at = Date.parse('2026-11-20T12:00:00Z');
  const { admin } = await signedIn({}, { now: () => at });
  const { single, read } = await create(admin, projects);
  at += 60_000;
  await admin.post(single, formOf(valuesFor(projects.fields, 'two')));
  expect(await read()).toMatchObject({
    created_at: '2026-11-20T12:00:00.000Z',
    updated_at: '2026-11-20T12:01:00.000Z',
  });
});

test('confirms the removal of an image with the record’s new version', async () => {
  const { admin } = await signedIn();
  const { images, read } = await create(admin, projects);
  const answer = (await admin.post(`/api/delete-image/${images[0]?.id}`, undefined)).json();
  expect(answer).toEqual({ message: 'Image Deleted Successfully', version: (await read()).version });
});

test('lists a record without files as having no photo and no catalogue', async () => {
  const { app, admin } = await signedIn();
  await app.services.db
    .insertInto('generators' as 'records')
    .values({ version: 'v', created_at: '', updated_at: '' })
    .execute();
  expect((await admin.get(generators.endpoints.list)).json()).toMatchObject([{ photo: null, has_catalog: 0 }]);
});
