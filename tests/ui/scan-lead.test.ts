import { expect, test } from 'vitest';
import { recordFinds, screenFinds } from '../../src/app/find/finds.ts';
import { leadOf, takesPhotos } from '../../src/app/scan/where-to.ts';
import { resourceOf } from '../../src/domain/resources/index.ts';

const ORIGIN = 'https://desk.example';
const LIGHTS = recordFinds(resourceOf('street-lights'), [
  { id: 4, brand: 'Lumen', model: 'L33-1', capacity: '33 W' },
  { id: 5, brand: 'Lumen', model: 'L33-2', capacity: '33 W' },
]);
const FINDS = [...screenFinds({ mayEdit: true, own: true, manages: true }), ...LIGHTS];

test('a link of this app opens its screen, one of another site is only text', () => {
  expect(leadOf(`${ORIGIN}/st-edit/4`, ORIGIN, FINDS)).toEqual({ to: '/st-edit/4' });
  expect(leadOf(`${ORIGIN}/st-all?search=lumen`, ORIGIN, FINDS)).toEqual({ to: '/st-all?search=lumen' });
  expect(leadOf('https://other.example/st-edit/4', ORIGIN, FINDS)).toEqual({
    query: 'https://other.example/st-edit/4',
  });
});

test('opens the only record with a model number', () => {
  for (const text of [' l33-2\n', 'L33-2']) expect(leadOf(text, ORIGIN, FINDS)).toEqual({ to: '/st-edit/5' });
});

test('does not treat the name of a screen as a record', () => {
  expect(leadOf('Outbox', ORIGIN, FINDS)).toEqual({ query: 'Outbox' });
});

test('searches for what several records have, or none', () => {
  expect(leadOf('33 W', ORIGIN, FINDS)).toEqual({ query: '33 W' });
  expect(leadOf('SN-0001', ORIGIN, FINDS)).toEqual({ query: 'SN-0001' });
});

test('adds shared photos only to a record, not to a list, another screen or the site settings', () => {
  expect(['/st-edit/5', '/partner-edit/1', '/st-edit/5?from=label'].filter((address) => !takesPhotos(address))).toEqual(
    [],
  );
  expect(['/st-all', '/st-create', '/sete-meta-update', '/outbox', '/'].filter(takesPhotos)).toEqual([]);
});
