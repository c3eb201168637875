import type { Resource } from '../resource.ts';
import { catalog, images, text } from './common.ts';

export const streetLights: Resource<'street-lights'> = {
  name: 'street-lights',
  path: 'st',
  place: 7,
  label: {
    one: 'Street Light',
    many: 'Street Light',
    list: 'All Street Light',
    deleteAs: 'Street Light',
    message: 'Street Light',
    noun: { one: 'street light', many: 'street lights' },
  },
  endpoints: { create: '/api/create-st', list: '/api/get-sts', single: '/api/get-single-st', delete: '/api/delete-st' },
  paged: false,
  fields: [
    text('brand', 'Brand'),
    text('capacity', 'Capacity'),
    text('model', 'Model'),
    text('origin', 'Origin'),
    catalog,
    images,
  ],
  columns: [
    { kind: 'text', field: 'brand', label: 'Brand' },
    { kind: 'text', field: 'model', label: 'Model' },
  ],
  facts: ['capacity', 'origin'],
  facets: ['brand', 'origin'],
  title: ['brand', 'model'],
  afterCreate: 'stay',
};
