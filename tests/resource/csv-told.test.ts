import { expect, test } from 'vitest';
import { partners } from '../../src/domain/resources/partners.ts';
import { generators } from '../../src/domain/resources/generators.ts';
import { planImport } from '../../src/resource/csv/csv-import.ts';
import { listCsv } from '../../src/resource/csv/csv-export.ts';
import { search, recordFinds } from '../../src/app/find/finds.ts';
import { twinOf } from '../../src/resource/form/known-values.ts';
import { fileSources } from '../../src/resource/duplicate/sources.ts';
import { facetGroups } from '../../src/resource/list/facets.ts';
import { indexRows, visibleRows } from '../../src/resource/list/list-rules.ts';

const rows = [{ recordId: '1', name: 'Delta', link: 'https://delta.example' }];

test('a picture named for an existing record and not chosen is told, not called "No change"', () => {
  const plan = planImport(
    partners,
    'id,name,link,image\r\n1,Delta,https://delta.example,new-logo.png\r\n',
    rows,
    new Set(['new_logo.png']),
  );
  const [line] = plan.lines;
  expect({ unchanged: line?.unchanged, errors: line?.errors }).toEqual({
    unchanged: undefined,
    errors: { image: expect.anything() },
  });
});

test('a line that lacks its last cells does not empty them unseen', () => {
  const plan = planImport(partners, 'id,name,link\r\n1,Delta two\r\n', rows, new Set());
  const [line] = plan.lines;
  expect({ link: line?.values['link'], errors: Object.keys(line?.errors ?? {}).length }).not.toEqual({
    link: '',
    errors: 0,
  });
});

test('two lines for one record, and two columns for one field, are told', () => {
  const plan = planImport(partners, 'id,name,Name,link\r\n1,A,B,\r\n1,C,,\r\n', rows, new Set());
  // the first of both counts
  expect(plan.ignored).toEqual(['Name']);
  expect(plan.lines.map(({ errors, values }) => [values['name'], Object.keys(errors)])).toEqual([
    ['A', []],
    ['C', ['id']],
  ]);
});

test.each([
  '=1+1',
  "'=1+1",
  "'quoted",
  '+49 1',
  '-5',
  '@x',
  "''=x",
  '"q"',
  'a;b',
  'a\nb',
  '\tx',
  ' lead',
  "'",
  "'5",
  '+4,5',
  '1,5',
  '\u00a0x',
  '\u200bx',
  '﻿x',
])('%j survives export and import', (text) => {
  const csv = listCsv(partners, [{ recordId: '1', name: text, link: '' }]);
  const plan = planImport(partners, csv, [{ recordId: '1', name: text, link: '' }], new Set());
  expect(plan.lines[0]?.values['name']).toBe(text);
});

test('an Excel file that begins with sep=; is read', () => {
  const plan = planImport(partners, 'sep=;\r\nid;name;link\r\n1;Delta;\r\n', rows, new Set());
  expect(plan.ignored).toEqual([]);
});

test('a file with lone CR lines', () => {
  const plan = planImport(partners, 'id,name,link\r1,Delta 2,\r', rows, new Set());
  expect(plan.lines.length).toBe(1);
});

test('Find finds what the list finds', () => {
  const all = [{ recordId: '1', id: 1, name: 'Müller Söhne', link: '' }];
  const inList = visibleRows(indexRows(partners, all), { query: 'muller', chosen: {}, sort: undefined }).length;
  const inFind = search(recordFinds(partners, all), 'muller').length;
  const decomposed = search(recordFinds(partners, all), 'Mu\u0308ller').length;
  expect({ inFind, decomposed }).toEqual({ inFind: inList, decomposed: 1 });
});

test('an existing record is reported whatever the form of its accents', () => {
  expect(twinOf(partners, [{ id: 1, name: 'Mu\u0308ller' }], { name: 'M\u00fcller' }, undefined)).toBeDefined();
});

test('one facet value per brand', () => {
  const groups = facetGroups(generators, [
    { recordId: '1', brand: 'Perkins' },
    { recordId: '2', brand: 'Perkins ' },
    { recordId: '3', brand: 'perkins' },
    { recordId: '4', brand: 'Cummins' },
  ]);
  expect(groups.find(({ name }) => name === 'brand')?.options.map(({ value }) => value)).toEqual([
    'Perkins',
    'Cummins',
  ]);
});

test('a duplicate takes the newest of two waiting catalogues', () => {
  const file = (id: string, name: string) => ({
    id,
    field: 'catalog',
    name,
    type: 'application/pdf',
    size: 1,
    sha256: id,
  });
  const view = {
    recordId: '1',
    values: {},
    images: [],
    files: {},
    pendingFiles: [file('old', 'old.pdf'), file('new', 'new.pdf')],
    sentFiles: [],
    deleted: false,
    known: true,
    removedImageIds: [],
    entries: [],
  } as never;
  // a field for one file has one source: the newest
  expect(fileSources(generators, view).filter(({ field }) => field.name === 'catalog')).toHaveLength(1);
});
