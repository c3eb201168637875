import { expect, test } from 'vitest';
import { generators } from '../../src/domain/resources/generators.ts';
import { create } from './feed-client.ts';
import { formOf, signedIn } from './harness.ts';
import { pdf, valuesFor } from './samples.ts';

test('a history tells a replaced file by the names that it had where it was picked', async () => {
  const { admin } = await signedIn();
  const id = await create(admin, generators, 'one');
  const bytes = new Uint8Array([...pdf(), 10]);
  const catalog = { field: 'catalog', bytes, name: 'Preisliste März.pdf', type: 'application/pdf' };
  await admin.post(`${generators.endpoints.single}/${id}`, formOf(valuesFor(generators.fields, 'one'), [catalog]));
  const [latest] = (await admin.get(`/api/history/generators/${id}`)).json();
  expect(latest.changes).toEqual([{ field: 'catalog', before: 'one.pdf', after: 'Preisliste März.pdf' }]);
});
