import { OpenAPIClientAxios } from 'openapi-client-axios';
import { expect, test } from 'vitest';
import type { ResourceName } from '../../src/domain/resource.ts';
import { resourceOf } from '../../src/domain/resources/index.ts';
import { formOf, signedIn } from './harness.ts';
import { filesFor, valuesFor } from './samples.ts';

/** The calls that this test makes, by the names of the description. */
interface Calls {
  readonly getSite: () => Promise<{ readonly data: object }>;
  readonly getAll: () => Promise<{ readonly data: object }>;
  readonly getGenerator: (parameters: { id: number }) => Promise<{ readonly data: object }>;
  readonly listGenerators: (parameters?: object) => Promise<{ readonly data: Page }>;
}

interface Page {
  readonly items: readonly { readonly brand: string }[];
  readonly total: number;
  readonly next: string | null;
}

test('a public program makes a working client from the description alone', async () => {
  const { app, admin } = await signedIn({ CONTENT: 'token' });
  const create = async (name: ResourceName, values: Record<string, string>) => {
    const resource = resourceOf(name);
    const form = formOf({ ...valuesFor(resource.fields), ...values }, await filesFor(resource));
    return (await admin.post(resource.endpoints.create, form)).json().id as number;
  };
  const id = await create('generators', { brand: 'Zürich & Söhne', capacity: '9 kVA' });
  await create('generators', { brand: 'Perkins', capacity: '20 kVA' });
  await create('generators', { brand: 'Cummins', capacity: '1 MVA' });
  const { token } = (await admin.post('/api/content/tokens', { name: 'Client' })).json();
  const baseURL = await app.listen({ port: 0, host: '127.0.0.1' });
  const headers = { authorization: `Bearer ${token}` };
  const definition = (await app.inject({ url: '/content/v1/openapi.json', headers })).json();
  // repeated parameters as the description says, not those with brackets of PHP
  const defaults = { baseURL, headers, paramsSerializer: { indexes: null } };
  const client = (await new OpenAPIClientAxios({
    definition,
    axiosConfigDefaults: defaults,
  }).init()) as unknown as Calls;
  const brands = async (parameters: object) =>
    (await client.listGenerators(parameters)).data.items.map(({ brand }) => brand);

  expect((await client.getGenerator({ id })).data).toMatchObject({ id, brand: 'Zürich & Söhne' });
  expect(await brands({ brand: ['Zürich & Söhne', 'cummins'] })).toEqual(['Zürich & Söhne', 'Cummins']);
  expect(await brands({ 'capacity>': '20kVA', sort: '-capacity' })).toEqual(['Cummins', 'Perkins']);
  const { data } = await client.listGenerators({ limit: 2 });
  expect([data.items.length, data.total]).toEqual([2, 3]);
  expect(await brands({ limit: 2, after: data.next })).toEqual(['Cummins']);
  expect((await client.getAll()).data).toHaveProperty('generators');
  expect((await client.getSite()).data).toHaveProperty('facebook');
  await expect(client.getGenerator({ id: 999 })).rejects.toMatchObject({ response: { status: 404 } });
});
