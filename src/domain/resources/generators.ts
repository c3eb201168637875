import type { Resource } from '../resource.ts';
import { catalog, images, text } from './common.ts';

export const generators: Resource<'generators'> = {
  name: 'generators',
  path: 'generator',
  place: 3,
  label: {
    one: 'Generator',
    many: 'Generators',
    list: 'All Generators',
    deleteAs: 'generator',
    message: 'Generator',
    noun: { one: 'generator', many: 'generators' },
  },
  endpoints: {
    create: '/api/create-generator',
    list: '/api/get-generators',
    single: '/api/get-single-generator',
    delete: '/api/delete-generator',
  },
  paged: false,
  fields: [
    text('brand', 'Brand'),
    text('capacity', 'Capacity'),
    text('generator_model', 'Generator model'),
    text('engine_model', 'Engine model'),
    text('alternator_model', 'Alternator model'),
    text('origin', 'Origin'),
    { kind: 'lookup', name: 'series', label: 'Series', required: true, lookup: 'generator-series' },
    catalog,
    images,
  ],
  columns: [
    { kind: 'text', field: 'brand', label: 'Brand' },
    { kind: 'text', field: 'generator_model', label: 'Model' },
  ],
  facts: ['capacity', 'series', 'origin'],
  facets: ['brand', 'series', 'origin'],
  title: ['brand', 'generator_model'],
  afterCreate: 'list',
};
