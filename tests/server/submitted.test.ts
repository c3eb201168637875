import type { FastifyRequest } from 'fastify';
import { expect, test } from 'vitest';
import { errorKeyOf, formOf, readSubmitted } from '../../server/protocol/submitted.ts';
import type { ReceivedFile } from '../../server/uploads/received.ts';
import { generators } from '../../src/domain/resources/generators.ts';
import { ups } from '../../src/domain/resources/ups.ts';

const { fields } = generators;

function file(field: string, originalName: string, size = 1): ReceivedFile {
  return { field, originalName, size, path: '', sha256: '', type: undefined };
}

const formWith = (texts: Record<string, string>, files: readonly ReceivedFile[] = []) => {
  return { texts: new Map(Object.entries(texts)), files };
};

test('reads a number in a JSON body as text, and ignores values that are neither text nor number', () => {
  const body = { a: 5, b: 'x', c: true, d: null, e: ['y'] };
  expect(formOf({ body } as FastifyRequest).texts).toEqual(
    new Map([
      ['a', '5'],
      ['b', 'x'],
    ]),
  );
});

test('unifies the line ends of a text, and trims surrounding blanks', () => {
  const { values } = readSubmitted(fields, formWith({ brand: '\r\n one\r\ntwo\r\n\r\nthree \r\n' }));
  expect(values['brand']).toBe('one\ntwo\n\nthree');
});

test('ignores an empty file input, but keeps an empty file that was picked', () => {
  const files = [file('catalog', '', 0), file('images', '', 0), file('images', 'empty.png', 0)];
  expect(readSubmitted(fields, formWith({}, files)).files).toEqual([files[2]]);
});

test('reports text in place of a file under its field, even with the brackets of a multiple field', () => {
  expect(readSubmitted(fields, formWith({ catalog: 'a.pdf', 'images[]': 'b.png' })).textForFile.toSorted()).toEqual([
    'catalog',
    'images',
  ]);
  expect(readSubmitted(fields, formWith({ catalog: ' ' })).textForFile).toEqual([]);
});

test('reports the error of one of several pictures under its position', () => {
  const files = [file('catalog', 'a.pdf'), file('images', 'one.png'), file('images', 'two.png')];
  expect(files.map((one) => errorKeyOf(fields, files, one))).toEqual(['catalog', 'images.0', 'images.1']);
});

test('accepts the alias of a field only for a choice from a list', () => {
  expect(readSubmitted(ups.fields, formWith({ series: 'Online' })).values['type']).toBe('Online');
  const text = { ...fields[0], name: 'type', kind: 'text' } as (typeof fields)[number];
  expect(readSubmitted([text], formWith({ series: 'Online' })).values['type']).toBe('');
});
