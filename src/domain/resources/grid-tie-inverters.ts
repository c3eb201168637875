import type { Resource } from '../resource.ts';
import { catalog, images, text } from './common.ts';

export const gridTieInverters: Resource<'grid-tie-inverters'> = {
  name: 'grid-tie-inverters',
  path: 'gti',
  place: 5,
  label: {
    one: 'Grid Tie Inverter',
    many: 'Grid Tie Inverter',
    list: 'All Grid Tie Inverter',
    deleteAs: 'Grid Tie Inverter',
    message: 'Grid Tie Inverter',
    noun: { one: 'grid tie inverter', many: 'grid tie inverters' },
  },
  endpoints: {
    create: '/api/create-gti',
    list: '/api/get-gtis',
    single: '/api/get-single-gti',
    delete: '/api/delete-gti',
  },
  paged: false,
  fields: [
    { kind: 'choice', name: 'type', label: 'Type', required: true, options: ['Single Phase', 'Three Phase'] },
    { kind: 'lookup', name: 'brand', label: 'Brand', required: true, lookup: 'gti-brands', dependsOn: 'type' },
    text('capacity', 'Capacity'),
    text('model', 'Model'),
    catalog,
    images,
  ],
  columns: [
    { kind: 'text', field: 'brand', label: 'Brand' },
    { kind: 'text', field: 'model', label: 'Model' },
  ],
  facts: ['capacity', 'type'],
  facets: ['brand', 'type'],
  title: ['brand', 'model'],
  afterCreate: 'list',
};
