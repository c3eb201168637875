import type { Resource } from '../resource.ts';
import { image, text } from './common.ts';

export const sliders: Resource<'sliders'> = {
  name: 'sliders',
  path: 'slider',
  place: 1,
  label: {
    one: 'Slider',
    many: 'Sliders',
    list: 'All Slider',
    deleteAs: 'Slide',
    message: 'Slider',
    noun: { one: 'slide', many: 'slides' },
  },
  endpoints: {
    create: '/api/create-slider',
    list: '/api/get-sliders',
    single: '/api/get-single-slider',
    delete: '/api/delete-slider',
  },
  paged: false,
  fields: [text('text', 'Text'), { kind: 'integer', name: 'serial', label: 'Serial', required: true, step: 1 }, image],
  columns: [
    { kind: 'image', field: 'image', label: 'Image', width: 300 },
    { kind: 'text', field: 'text', label: 'Text' },
  ],
  facts: ['serial'],
  facets: [],
  orderedBy: 'serial',
  title: ['text'],
  afterCreate: 'list',
};
