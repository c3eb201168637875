import { describe, expect, test } from 'vitest';
import { requestOf } from '../../../src/domain/protocol/requests.ts';
import { RESOURCES } from '../../../src/domain/resources/index.ts';
import { isValue } from '../../../src/domain/fields.ts';
import { deleting, editing, fileOf, partner } from './samples.ts';

test('a create carries its texts and files under the contract’s names', () => {
  const files = [fileOf('a', 'catalog'), fileOf('b'), fileOf('c')];
  const request = requestOf({ op: 'create', resource: 'ups', recordId: 'local-1', values: { brand: 'B' }, files });
  expect(request.path).toBe('/api/create-ups');
  expect(request.files.map(([name]) => name)).toEqual(['catalog', 'images[]', 'images[]']);
  expect(Object.fromEntries(request.fields)).toMatchObject({ brand: 'B', type: '' });
});

test('an update goes to the record’s path with all texts and its base version', () => {
  const request = requestOf(editing('7', partner('Acme'), partner('Acme Ltd'), 'abc'));
  expect(request).toEqual({
    path: '/api/get-single-partner/7',
    fields: [
      ['name', 'Acme Ltd'],
      ['link', 'https://example.com'],
    ],
    files: [],
    ifMatch: 'abc',
  });
});

test('an update without a known version sends no If-Match', () => {
  expect(requestOf(editing('7', partner('A'), partner('B')))).not.toHaveProperty('ifMatch');
});

test('an update omits a field that its form did not know yet', () => {
  const { fields } = requestOf(editing('7', { name: 'Acme' }, { name: 'Acme Ltd' }));
  expect(fields).toEqual([['name', 'Acme Ltd']]);
});

test('deletes have no body', () => {
  expect(requestOf(deleting('7'))).toEqual({ path: '/api/delete-partner/7', fields: [], files: [] });
  const removal = {
    op: 'delete-image',
    resource: 'street-lights',
    recordId: '3',
    imageId: 12,
    image: 'x.png',
  } as const;
  expect(requestOf(removal)).toEqual({ path: '/api/delete-image/12', fields: [], files: [] });
});

test('the deletion of a record names the version that was seen', () => {
  const base = { version: 'abc', values: {}, imageIds: [] };
  expect(requestOf({ op: 'delete', resource: 'partners', recordId: '7', base })).toMatchObject({ ifMatch: 'abc' });
});

test('the removal of an image names the version of its record that was seen', () => {
  const removal = {
    op: 'delete-image',
    resource: 'street-lights',
    recordId: '3',
    imageId: 12,
    image: 'x.png',
  } as const;
  const base = { version: 'abc', values: {}, imageIds: [12] };
  expect(requestOf({ ...removal, base })).toMatchObject({ ifMatch: 'abc' });
});

test('site settings are sent complete', () => {
  const names = ['title', 'phone', 'email', 'address', 'fb', 'tw', 'li', 'metaTag'];
  const values = Object.fromEntries(names.map((name) => [name, '']));
  const request = requestOf({
    op: 'update',
    resource: 'site-meta',
    recordId: '1',
    files: [],
    values,
    base: { values: {}, imageIds: [] },
  });
  expect(request.path).toBe('/api/site-meta');
  expect(request.fields.map(([name]) => name)).toEqual(names);
});

test('refuses to address a record without a server id', () => {
  expect(() => requestOf(deleting('local-1'))).toThrow('No server id');
});

describe.each(RESOURCES)('$name', (resource) => {
  test('sends every text field of its definition, and no name of a stored file', () => {
    const values = Object.fromEntries(resource.fields.map(({ name }) => [name, `text of ${name}`]));
    const change = {
      op: 'update',
      resource: resource.name,
      recordId: '1',
      values,
      files: [],
      base: { values, imageIds: [] },
    } as const;
    const sent = requestOf(change).fields.map(([name]) => name);
    expect(sent).toEqual(resource.fields.filter(isValue).map(({ name }) => name));
  });
});
