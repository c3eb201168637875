import type { Resource } from '../resource.ts';
import { TEXT_LENGTH } from '../fields.ts';
import { image, images, text } from './common.ts';

export const projects: Resource<'projects'> = {
  name: 'projects',
  path: 'project',
  place: 2,
  label: {
    one: 'Project',
    many: 'Projects',
    list: 'All Projects',
    deleteAs: 'Project',
    message: 'Project',
    noun: { one: 'project', many: 'projects' },
  },
  endpoints: {
    create: '/api/create-project',
    list: '/api/get-projects',
    single: '/api/get-single-project',
    delete: '/api/delete-project',
  },
  paged: true,
  fields: [
    text('client_name', 'Client name'),
    // The misspelled value ("Solor") is stored data that the public site matches on.
    { kind: 'choice', name: 'type', label: 'Type', required: true, options: ['Generator', 'Rooftop Solor Panel'] },
    { kind: 'text', name: 'capacity', label: 'Capacity', required: false, maxLength: TEXT_LENGTH },
    text('project_name', 'Project name'),
    { kind: 'longText', name: 'description', label: 'Description', required: true, maxLength: 10_000, rows: 6 },
    { ...image, label: 'Client logo' },
    { ...images, label: 'Project images' },
  ],
  columns: [
    { kind: 'image', field: 'image', label: 'Client Image', width: 100 },
    { kind: 'text', field: 'project_name', label: 'Project name' },
  ],
  facts: ['client_name', 'type', 'capacity'],
  facets: ['type', 'client_name'],
  title: ['project_name'],
  afterCreate: 'list',
};
