import { TEXT_LENGTH } from '../fields.ts';
import type { SingleResource } from '../resource.ts';
import { text } from './common.ts';

/** The site-wide settings: a resource of one record. */
export const siteMeta: SingleResource = {
  name: 'site-meta',
  // The specification spells the route this way.
  path: 'sete-meta-update',
  label: { one: 'Site meta', message: 'Site Meta' },
  endpoints: { single: '/api/site-meta' },
  fields: [
    text('title', 'Title'),
    { kind: 'text', name: 'phone', label: 'Phone', required: true, maxLength: TEXT_LENGTH, format: 'tel' },
    { kind: 'text', name: 'email', label: 'Email', required: true, maxLength: TEXT_LENGTH, format: 'email' },
    text('address', 'Address'),
    { kind: 'text', name: 'fb', label: 'Facebook', required: false, maxLength: TEXT_LENGTH, format: 'url' },
    { kind: 'text', name: 'tw', label: 'Twitter', required: false, maxLength: TEXT_LENGTH, format: 'url' },
    { kind: 'text', name: 'li', label: 'Linkedin', required: false, maxLength: TEXT_LENGTH, format: 'url' },
    { kind: 'longText', name: 'metaTag', label: 'Meta tag', required: false, maxLength: 65_535, rows: 10 },
  ],
  title: [],
  only: 1,
};
