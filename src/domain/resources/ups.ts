import type { Resource } from '../resource.ts';
import { catalog, images, text } from './common.ts';

export const ups: Resource<'ups'> = {
  name: 'ups',
  path: 'ups',
  place: 6,
  label: {
    one: 'Ups',
    many: 'Ups',
    list: 'All Ups',
    deleteAs: 'Ups',
    message: 'Ups',
    noun: { one: 'UPS', many: 'UPS units' },
  },
  endpoints: {
    create: '/api/create-ups',
    list: '/api/get-upss',
    single: '/api/get-single-ups',
    delete: '/api/delete-ups',
  },
  paged: false,
  fields: [
    text('brand', 'Brand'),
    text('capacity', 'Capacity'),
    text('model', 'Model'),
    text('origin', 'Origin'),
    { kind: 'lookup', name: 'type', label: 'Type', required: true, lookup: 'ups-types' },
    catalog,
    images,
  ],
  columns: [
    { kind: 'text', field: 'brand', label: 'Brand' },
    { kind: 'text', field: 'model', label: 'Model' },
  ],
  facts: ['capacity', 'type', 'origin'],
  facets: ['brand', 'type', 'origin'],
  title: ['brand', 'model'],
  afterCreate: 'list',
};
