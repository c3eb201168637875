import { expect, test } from 'vitest';
import type { FieldChange, HistoryEntry } from '../../src/domain/history.ts';
import { aboutItems } from '../../src/domain/resources/about-items.ts';
import { generators } from '../../src/domain/resources/generators.ts';
import { partners } from '../../src/domain/resources/partners.ts';
import { create } from './feed-client.ts';
import { formOf, signedIn } from './harness.ts';
import { filesFor, pdf, valuesFor } from './samples.ts';

test('shows a replaced file by its original names', async () => {
  const { admin } = await signedIn();
  const id = await create(admin, generators, 'one');
  const bytes = new Uint8Array([...pdf(), 10]);
  const catalog = { field: 'catalog', bytes, name: 'Preisliste März.pdf', type: 'application/pdf' };
  await admin.post(`${generators.endpoints.single}/${id}`, formOf(valuesFor(generators.fields, 'one'), [catalog]));
  const [latest] = (await admin.get(`/api/history/generators/${id}`)).json();
  expect(latest.changes).toEqual([{ field: 'catalog', before: 'one.pdf', after: 'Preisliste März.pdf' }]);
});

test('shows only the record’s own history, not a neighbour’s or that of another kind with the same id', async () => {
  const { admin } = await signedIn();
  const [first, second] = [await create(admin, partners, 'first'), await create(admin, partners, 'second')];
  expect(await create(admin, aboutItems, 'third')).toBe(first);
  const namesIn = async (id: number) =>
    (await admin.get(`/api/history/partners/${id}`))
      .json()
      .flatMap(({ changes }: HistoryEntry) => changes.filter(({ field }) => field === 'name'))
      .map(({ after }: FieldChange) => after);
  expect([await namesIn(first), await namesIn(second)]).toEqual([['Name first'], ['Name second']]);
});

test('omits a field that was empty and still is', async () => {
  const { admin } = await signedIn();
  const values = { ...valuesFor(partners.fields, 'one'), link: '' };
  const form = () => filesFor(partners).then((files) => formOf(values, files));
  const { id } = (await admin.post(partners.endpoints.create, await form())).json();
  expect((await admin.get(`${partners.endpoints.single}/${id}`)).json().link).toBeNull();
  const [made] = (await admin.get(`/api/history/partners/${id}`)).json() as HistoryEntry[];
  expect(made?.changes.map(({ field }) => field).toSorted()).toEqual(['image', 'name']);
});

test('omits photos from the deletion of a record that had none', async () => {
  const { admin } = await signedIn();
  const id = await create(admin, generators, 'one');
  const { images } = (await admin.get(`${generators.endpoints.single}/${id}`)).json();
  for (const image of images) await admin.post(`/api/delete-image/${image.id}`, undefined);
  await admin.post(`${generators.endpoints.delete}/${id}`, undefined);
  const [deleted, lost] = (await admin.get(`/api/history/generators/${id}`)).json() as HistoryEntry[];
  expect(lost?.changes).toEqual([{ field: 'images', before: 'one.jpg', after: null }]);
  expect(deleted?.changes.filter(({ before }) => before === null)).toEqual([]);
});

test('is empty for an id without a record', async () => {
  const { admin } = await signedIn();
  for (const id of ['local-1', '0', '1.5', '99']) {
    const answer = await admin.get(`/api/history/partners/${id}`);
    expect([answer.statusCode, answer.json()]).toEqual([200, []]);
  }
});
