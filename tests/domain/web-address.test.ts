import { expect, test } from 'vitest';
import { partners } from '../../src/domain/resources/partners.ts';
import { fieldOf } from '../../src/domain/resource.ts';
import { withScheme, withSchemes } from '../../src/domain/web-address.ts';

const link = fieldOf(partners, 'link');

test.each([
  ['kestrelengines.example', 'https://kestrelengines.example'],
  [' www.abb.com/uk?a=1#b ', 'https://www.abb.com/uk?a=1#b'],
  ['abb.com:8443/x', 'https://abb.com:8443/x'],
  ['müller.example.', 'https://müller.example.'],
])('completes %s', (typed, complete) => {
  expect(withScheme(link, typed)).toBe(complete);
});

test.each([
  '',
  'abb',
  'http://abb.com',
  'ftp://abb.com',
  'mailto:a@abb.com',
  'a@abb.com',
  'abb.com or so',
  '/a.b',
  'abb..',
])('leaves “%s” as it is', (typed) => {
  expect(withScheme(link, typed)).toBe(typed);
});

test('completes web addresses alone, and returns values without one unchanged', () => {
  const plain = { name: 'abb.com', link: '' };
  expect(withSchemes(partners.fields, plain)).toBe(plain);
  expect(withSchemes(partners.fields, { name: 'abb.com', link: 'abb.com' })).toEqual({
    name: 'abb.com',
    link: 'https://abb.com',
  });
});
