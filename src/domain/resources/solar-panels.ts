import type { Resource } from '../resource.ts';
import { catalog, images, text } from './common.ts';

export const solarPanels: Resource<'solar-panels'> = {
  name: 'solar-panels',
  path: 'sp',
  place: 4,
  label: {
    one: 'Solar Panel',
    many: 'Solar Panels',
    list: 'All Solar Panels',
    deleteAs: 'Solar Panel',
    message: 'Solar Panel',
    noun: { one: 'solar panel', many: 'solar panels' },
  },
  endpoints: { create: '/api/create-sp', list: '/api/get-sps', single: '/api/get-single-sp', delete: '/api/delete-sp' },
  paged: false,
  fields: [
    text('brand', 'Brand'),
    text('capacity', 'Capacity'),
    text('model', 'Model'),
    { kind: 'choice', name: 'type', label: 'Type', required: true, options: ['Monocrystalline', 'Polycrystalline'] },
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
