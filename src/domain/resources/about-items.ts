import type { Resource } from '../resource.ts';
import { image, text } from './common.ts';

export const aboutItems: Resource<'about-items'> = {
  name: 'about-items',
  path: 'about',
  place: 10,
  label: {
    one: 'About Us Slider',
    many: 'About Us Sliders',
    list: 'All About Us Sliders',
    deleteAs: 'about item',
    message: 'About',
    noun: { one: 'about-us image', many: 'about-us images' },
  },
  endpoints: {
    create: '/api/create-about',
    list: '/api/get-abouts',
    single: '/api/get-single-about',
    delete: '/api/delete-about',
  },
  paged: false,
  fields: [text('name', 'Name'), image],
  columns: [
    { kind: 'text', field: 'name', label: 'Name' },
    { kind: 'image', field: 'image', label: 'Image', width: 100 },
  ],
  facts: [],
  facets: [],
  title: ['name'],
  afterCreate: 'list',
};
