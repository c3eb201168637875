import { expect, test } from 'vitest';
import { isKey, keyFor, type Payload } from '../../server/protocol/idempotency-key.ts';
import { idIn } from '../../server/protocol/ids.ts';
import type { ReceivedFile } from '../../server/uploads/received.ts';

const file = (field: string, sha256: string) => ({ field, sha256, originalName: 'a', size: 1 }) as ReceivedFile;

const TEXTS = { title: 'Volt', capacity: '5', brand: '' };

function payload(more: Partial<Payload> = {}, texts: Record<string, string> = TEXTS): Payload {
  const files = [file('images', 'a'), file('images', 'b'), file('catalog', 'c')];
  return { path: '/api/x', ifMatch: '"v1"', form: { texts: new Map(Object.entries(texts)), files }, ...more };
}

const fingerprint = (given: Payload) => keyFor('a-key-of-mine', given)?.fingerprint;

test('keeps the fingerprint of a change stable across updates, since devices repeat earlier requests', () => {
  expect(fingerprint(payload())).toBe('308937b01171edcebfd3db94df44d6d34c23f1e721a22af0dafab07c29434bab');
  const { ifMatch: _none, ...unbound } = payload();
  expect(fingerprint(unbound)).toBe('6accb4a30c2e89b9887ca2cb56f041500c2dc822dcd5bed1bbba9c09090d65e1');
});

test('fingerprints path, version, texts and files in order, but not the order of texts or names of files', () => {
  const { form } = payload();
  const [one, other, third] = form.files as [ReceivedFile, ReceivedFile, ReceivedFile];
  const named = { ...form, files: [{ ...one, originalName: 'b', size: 2 }, other, third] };
  for (const same of [payload({}, { brand: '', title: 'Volt', capacity: '5' }), payload({ form: named })])
    expect(fingerprint(same)).toBe(fingerprint(payload()));
  const [inForm, inJson] = ['a\r\nb\r\n\r\nc\uFFFD', 'a\nb\r\n\rc\uD83D'].map((title) => payload({}, { title }));
  expect(fingerprint(inJson as Payload)).toBe(fingerprint(inForm as Payload));
  const others = [
    payload({ path: '/api/y' }),
    payload({ ifMatch: '"v2"' }),
    payload({}, { ...TEXTS, capacity: '6' }),
    payload({}, { ...TEXTS, more: '' }),
    payload({ form: { ...form, files: [other, one, third] } }),
    payload({ form: { ...form, files: [one, other] } }),
    payload({ form: { ...form, files: [one, other, { ...third, field: 'images' }] } }),
  ];
  expect(new Set([payload(), ...others].map(fingerprint)).size).toBe(others.length + 1);
});

test('accepts keys of 8 to 128 letters, digits or the four punctuation marks', () => {
  for (const key of ['12345678', 'a'.repeat(128), 'A_z.9:-0']) expect([key, isKey(key)]).toEqual([key, true]);
  for (const key of ['1234567', 'a'.repeat(129), 'with blank', 'slash/slash', 'größe-key', '', undefined, ['12345678']])
    expect([key, isKey(key)]).toEqual([key, false]);
  expect(keyFor(undefined, payload())).toBeUndefined();
  expect(() => keyFor('short', payload())).toThrow('8 to 128');
});

test('accepts as an id a whole number from 1 that can be represented exactly', () => {
  expect(['1', '10', '999999999999999'].map(idIn)).toEqual([1, 10, 999_999_999_999_999]);
  for (const text of ['0', '01', '-1', '1.0', '1e3', '', ' 1', '1 ', '1000000000000000', '٣'])
    expect([text, idIn(text)]).toEqual([text, undefined]);
});
