import { TEXT_LENGTH } from '../fields.ts';
import type { Resource } from '../resource.ts';
import { image, text } from './common.ts';

export const partners: Resource<'partners'> = {
  name: 'partners',
  path: 'partner',
  place: 8,
  label: {
    one: 'Partner',
    many: 'Partners',
    list: 'All Partners',
    deleteAs: 'partner',
    message: 'Partner',
    noun: { one: 'partner', many: 'partners' },
  },
  endpoints: {
    create: '/api/create-partner',
    list: '/api/get-partners',
    single: '/api/get-single-partner',
    delete: '/api/delete-partner',
  },
  paged: false,
  fields: [
    text('name', 'Name'),
    { kind: 'text', name: 'link', label: 'Link', required: false, maxLength: TEXT_LENGTH, format: 'url' },
    image,
  ],
  columns: [
    { kind: 'text', field: 'name', label: 'Name' },
    { kind: 'image', field: 'image', label: 'Image', width: 100 },
  ],
  facts: ['link'],
  facets: [],
  title: ['name'],
  afterCreate: 'list',
};
