import { type FieldOf, isAttachment, type LookupName, wireName } from '../../src/domain/fields.ts';
import type { Resource } from '../../src/domain/resource.ts';
import type { Api } from './api.ts';
import { type FieldFilling, type Filling, fillingOf } from './fillings.ts';
import type { SampleFile } from './sample-files.ts';

type Lookup = (api: Api, parent: string) => Promise<unknown>;

const LOOKUPS: { readonly [K in LookupName]: Lookup } = {
  'generator-series': (api) => api.get('/api/get-generators-series'),
  'ups-types': (api) => api.get('/api/get-all-ups-types'),
  'gti-brands': (api, parent) => api.ask('/api/get-gti-brands', { type: parent }),
};

/** Stores a record without the app, as another client would. `more` overrides fields by name. */
export async function storeRecord(api: Api, resource: Resource, seed: number, more: Record<string, string> = {}) {
  const filling = { ...(await fillingOf(resource.fields, seed)), ...more };
  const entries: [string, string | SampleFile][] = [];
  for (const field of resource.fields) {
    const value: FieldFilling = filling[field.name] ?? '';
    if (isAttachment(field)) for (const file of value as readonly SampleFile[]) entries.push([wireName(field), file]);
    else if (typeof value === 'string') entries.push([field.name, value]);
    else if (field.kind === 'lookup') entries.push([field.name, await firstOf(api, field, filling)]);
  }
  return api.post(resource.endpoints.create, entries);
}

async function firstOf(api: Api, field: FieldOf<'lookup'>, filling: Filling): Promise<string> {
  const parent = field.dependsOn === undefined ? '' : String(filling[field.dependsOn]);
  const [first = ''] = (await LOOKUPS[field.lookup](api, parent)) as string[];
  return first;
}
