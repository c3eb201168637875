import type { Resource } from '../resource.ts';
import { image, text } from './common.ts';

export const certifications: Resource<'certifications'> = {
  name: 'certifications',
  path: 'cert',
  place: 9,
  label: {
    one: 'Certification',
    many: 'Certifications',
    list: 'All Certifications',
    deleteAs: 'cert',
    message: 'Certification',
    noun: { one: 'certification', many: 'certifications' },
  },
  endpoints: {
    create: '/api/create-cert',
    list: '/api/get-certs',
    single: '/api/get-single-cert',
    delete: '/api/delete-cert',
  },
  paged: false,
  fields: [
    {
      kind: 'choice',
      name: 'category',
      label: 'Category',
      required: true,
      options: ['Solar Panels', 'Generators', 'Grid Tie Inverters', 'Online UPS', 'Street Light'],
    },
    text('name', 'Name'),
    image,
  ],
  columns: [
    { kind: 'text', field: 'category', label: 'Category' },
    { kind: 'text', field: 'name', label: 'Name' },
    { kind: 'image', field: 'image', label: 'Image', width: 100 },
  ],
  facts: [],
  facets: ['category'],
  title: ['name'],
  afterCreate: 'list',
};
