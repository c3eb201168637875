import { expect, test } from 'vitest';
import { rangeOf } from '../../server/protocol/byte-range.ts';
import { generators } from '../../src/domain/resources/generators.ts';
import { formOf, signedIn } from './harness.ts';
import { filesFor, pdf, valuesFor } from './samples.ts';

test.each([
  ['bytes=0-3', { first: 0, last: 3 }],
  ['bytes=4-', { first: 4, last: 9 }],
  ['bytes=-3', { first: 7, last: 9 }],
  ['bytes=-30', { first: 0, last: 9 }],
  ['bytes=8-30', { first: 8, last: 9 }],
  ['bytes=9-9', { first: 9, last: 9 }],
  ['bytes=10-', 'none'],
  ['bytes=-0', 'none'],
  ['bytes=3-2', 'whole'],
  ['bytes=0-1,4-5', 'whole'],
  ['lines=0-1', 'whole'],
  ['bytes=-', 'whole'],
  [undefined, 'whole'],
])('reads the range %j of ten bytes as %j', (header, wanted) => {
  expect(rangeOf(header, 10)).toEqual(wanted);
});

test('finds no range in an empty file', () => {
  expect([rangeOf('bytes=0-', 0), rangeOf('bytes=-1', 0)]).toEqual(['none', 'none']);
});

async function catalogue() {
  const { admin } = await signedIn();
  const bytes = pdf('a page of a large catalogue');
  const files = (await filesFor(generators)).map((file) => (file.field === 'catalog' ? { ...file, bytes } : file));
  const { id } = (await admin.post(generators.endpoints.create, formOf(valuesFor(generators.fields), files))).json();
  const { catalog } = (await admin.get(`${generators.endpoints.single}/${id}`)).json();
  const whole = Buffer.from(bytes);
  const ask = (headers: Record<string, string>, method: 'GET' | 'HEAD' = 'GET') =>
    admin.send({ method, url: `/uploads/${catalog}`, headers });
  return { whole, ask };
}

test('serves a range of a stored file with its position', async () => {
  const { whole, ask } = await catalogue();
  const part = await ask({ range: 'bytes=5-11' });
  expect(part.statusCode).toBe(206);
  expect(part.rawPayload).toEqual(whole.subarray(5, 12));
  expect(part.headers).toMatchObject({
    'content-range': `bytes 5-11/${whole.length}`,
    'content-length': '7',
    'content-type': 'application/pdf',
    'content-security-policy': expect.stringContaining('sandbox'),
  });
  expect((await ask({ range: 'bytes=-4' })).rawPayload).toEqual(whole.subarray(-4));
});

test('refuses a range beyond the end of a file with the file’s size', async () => {
  const { whole, ask } = await catalogue();
  const answer = await ask({ range: `bytes=${whole.length}-` });
  expect([answer.statusCode, answer.json().message]).toEqual([416, 'The file has no such part.']);
  expect(answer.headers).toMatchObject({ 'content-range': `bytes */${whole.length}`, 'cache-control': 'no-store' });
});

test('serves the whole file for requests without a usable range', async () => {
  const { whole, ask } = await catalogue();
  for (const headers of [{}, { range: 'bytes=0-1,3-4' }, { range: 'bytes=0-3', 'if-range': '"a"' }]) {
    const { statusCode, rawPayload, headers: told } = await ask(headers);
    expect([statusCode, rawPayload.equals(whole), told['accept-ranges']]).toEqual([200, true, 'bytes']);
  }
  const head = await ask({ range: 'bytes=0-3' }, 'HEAD');
  expect([head.statusCode, head.headers['content-length']]).toEqual([200, String(whole.length)]);
});
