import naughtyStrings from 'big-list-of-naughty-strings' with { type: 'json' };
import { expect, test } from 'vitest';
import { type Field, isAttachment } from '../../src/domain/fields.ts';
import { RESOURCES } from '../../src/domain/resources/index.ts';
import { sliders } from '../../src/domain/resources/sliders.ts';
import { siteMeta } from '../../src/domain/resources/site-meta.ts';
import { type Client, formOf, signedIn } from './harness.ts';
import { filesFor, valuesFor } from './samples.ts';

/** The big list, and what it lacks: JavaScript's own names, the longest allowed text, and the punctuation of forms. */
const NAUGHTY: readonly string[] = [
  ...naughtyStrings,
  '__proto__',
  'constructor',
  'x'.repeat(255),
  '𝒳'.repeat(127),
  'line one\nline two',
  '--boundary\nContent-Disposition: form-data; name="id"',
  "Robert'); DROP TABLE generators;--",
];

/** Those with characters that no keyboard types. */
const CONTROL = NAUGHTY.map((text) => text.trim()).filter((text) => /[^\P{Cc}\n\r\t]/u.test(text));

/** Those that are not blank, as the server stores them: trimmed, with plain line ends. */
const KEPT = NAUGHTY.map((text) => text.replaceAll('\r\n', '\n').trim()).filter(
  (text) => text !== '' && !CONTROL.includes(text),
);

const isFree = (field: Field) => field.kind === 'longText' || (field.kind === 'text' && field.format === undefined);

/** Valid values, but naughty texts in the fields that accept any text: another one in each, from `first` on. */
function naughtyValues(fields: readonly Field[], first: number): Record<string, string> {
  const free = fields.filter(isFree).map((field, i) => [field.name, KEPT[(first + i) % KEPT.length]]);
  return { ...valuesFor(fields), ...Object.fromEntries(free) };
}

/** Saves every text in a free field and reads it back. Returns those that changed. */
async function changedOnTheWay(admin: Client, fields: readonly Field[], save: string, read: string) {
  const changed: unknown[] = [];
  const atOnce = fields.filter(isFree).length;
  expect(atOnce).toBeGreaterThan(0);
  for (let first = 0; first < KEPT.length; first += atOnce) {
    const values = naughtyValues(fields, first);
    const answer = await admin.post(save, formOf(values));
    const record = (await admin.get(read)).json();
    const other = Object.entries(values).filter(([name, value]) => String(record[name]) !== value);
    if (answer.statusCode !== 200 || other.length > 0) changed.push([answer.statusCode, other]);
  }
  return changed;
}

test.each(RESOURCES)('returns every naughty text in a field of $name unchanged', async (resource) => {
  const { admin } = await signedIn();
  const form = formOf(valuesFor(resource.fields), await filesFor(resource));
  const { id } = (await admin.post(resource.endpoints.create, form)).json();
  const single = `${resource.endpoints.single}/${id}`;
  expect(await changedOnTheWay(admin, resource.fields, single, single)).toEqual([]);
});

test('refuses control characters in every field with a message, and keeps line ends and tabs', async () => {
  const { admin } = await signedIn();
  const { fields, endpoints } = siteMeta;
  expect(CONTROL.length).toBeGreaterThan(0);
  for (const text of [...CONTROL, 'bell\u0007', 'null\u0000', 'escape\u001b[31m', 'delete\u007f', 'next\u0085line']) {
    const answer = await admin.post(endpoints.single, formOf({ ...valuesFor(fields), title: text }));
    expect([text, answer.statusCode]).toEqual([text, 422]);
    expect(answer.json().errors).toEqual({ title: ['The title must not contain control characters.'] });
  }
  expect((await admin.post(endpoints.single, formOf({ ...valuesFor(fields), address: 'one\n\ttwo' }))).statusCode).toBe(
    200,
  );
});

test('returns every naughty text in a field of the site meta unchanged', async () => {
  const { admin } = await signedIn();
  const { fields, endpoints } = siteMeta;
  expect(await changedOnTheWay(admin, fields, endpoints.single, endpoints.single)).toEqual([]);
});

test.each(RESOURCES)('answers 200 or 422 to naughty texts in the other fields of $name too', async (resource) => {
  const { admin } = await signedIn();
  const form = formOf(valuesFor(resource.fields), await filesFor(resource));
  const { id } = (await admin.post(resource.endpoints.create, form)).json();
  const names = resource.fields.filter((field) => !isAttachment(field)).map((field) => field.name);
  // each text with some kinds, and each kind with many texts
  const kind = RESOURCES.indexOf(resource);
  for (const text of NAUGHTY.filter((_, i) => i % RESOURCES.length === kind || i % 7 === kind)) {
    const values = Object.fromEntries(names.map((name) => [name, text]));
    const answer = await admin.post(`${resource.endpoints.single}/${id}`, formOf(values));
    expect([text, [200, 422].includes(answer.statusCode)]).toEqual([text, true]);
  }
});

test('rejects naughty texts as credentials and as tokens, without an error of its own', async () => {
  const { admin, app } = await signedIn();
  for (const text of NAUGHTY) {
    const answer = await admin.post('/api/auth/login', { email: text, password: text });
    expect([text, [422, 429].includes(answer.statusCode)]).toEqual([text, true]);
    const authorization = `Bearer ${encodeURIComponent(text)}`;
    expect((await app.inject({ url: '/api/user', headers: { authorization } })).statusCode).toBe(401);
  }
});

test('trims texts, and treats a blank one as missing', async () => {
  const { admin } = await signedIn();
  const values = { ...valuesFor(sliders.fields), text: ' \t\n ' };
  const answer = await admin.post(sliders.endpoints.create, formOf(values, await filesFor(sliders)));
  expect(answer.json().errors).toEqual({ text: ['The text field is required.'] });
});

test.each(['1.5', '1e3', '99999999999', 'one', '0x10', '--1'])('refuses %j as a serial number', async (serial) => {
  const { admin } = await signedIn();
  const answer = await admin.post(
    sliders.endpoints.create,
    formOf({ ...valuesFor(sliders.fields), serial }, await filesFor(sliders)),
  );
  expect(answer.json().errors).toEqual({ serial: ['The serial must be an integer.'] });
});
