import { type Field, TEXT_LENGTH } from './fields.ts';

/** The site-wide settings: one record without an id, one call to read and one to save. */
export const SITE_META = {
  name: 'site-meta',
  /** As its history names it. */
  id: 1,
  label: 'Site meta',
  path: '/sete-meta-update',
  endpoint: '/api/site-meta',
  fields: [
    { kind: 'text', name: 'title', label: 'Title', required: true, maxLength: TEXT_LENGTH },
    { kind: 'text', name: 'phone', label: 'Phone', required: true, maxLength: TEXT_LENGTH, format: 'tel' },
    { kind: 'text', name: 'email', label: 'Email', required: true, maxLength: TEXT_LENGTH, format: 'email' },
    { kind: 'text', name: 'address', label: 'Address', required: true, maxLength: TEXT_LENGTH },
    { kind: 'text', name: 'fb', label: 'Facebook', required: false, maxLength: TEXT_LENGTH, format: 'url' },
    { kind: 'text', name: 'tw', label: 'Twitter', required: false, maxLength: TEXT_LENGTH, format: 'url' },
    { kind: 'text', name: 'li', label: 'Linkedin', required: false, maxLength: TEXT_LENGTH, format: 'url' },
    { kind: 'longText', name: 'metaTag', label: 'Meta tag', required: false, maxLength: 65_535, rows: 10 },
  ],
} as const satisfies {
  name: 'site-meta';
  id: number;
  label: string;
  path: string;
  endpoint: string;
  fields: readonly Field[];
};
