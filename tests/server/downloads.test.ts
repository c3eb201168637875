import { expect, test } from 'vitest';
import { attachment, downloadName } from '../../server/protocol/download-name.ts';
import { generators } from '../../src/domain/resources/generators.ts';
import { bytesOf } from './corpus/bytes.ts';
import { zipOf } from './corpus/zip.ts';
import { formOf, signedIn } from './harness.ts';
import { filesFor, pdf, valuesFor } from './samples.ts';

const NAMES = [
  ['Price list 2026.pdf', 'Price list 2026.pdf'],
  ['PRICES.PDF', 'PRICES.pdf'],
  ['evil.html', 'evil.html.pdf'],
  ['evil.pdf.exe', 'evil.pdf.exe.pdf'],
  ['in\u202efdp.exe', 'infdp.exe.pdf'],
  ['a\u2066b\u2069\u200fc.pdf', 'abc.pdf'],
  ['line\r\nbreak\u0000\u0007.pdf', 'linebreak.pdf'],
  ['..\\..\\windows\\evil.bat. . ', 'windowsevil.bat.pdf'],
  ['../../etc/passwd', 'etcpasswd.pdf'],
  ['C:evil|<>"*?.pdf', 'Cevil.pdf'],
  ['Größe „neu“ 目录.pdf', 'Größe „neu“ 目录.pdf'],
  ['.pdf', 'catalog.pdf'],
  [' . prices 2026 . ', 'prices 2026.pdf'],
  ['', 'catalog.pdf'],
  ['\ud800.pdf', '\ufffd.pdf'],
  [`${'x'.repeat(300)}.pdf`, `${'x'.repeat(80)}.pdf`],
  [`x${'🔋'.repeat(100)}.pdf`, `x${'🔋'.repeat(79)}.pdf`],
] as const;

test.each(NAMES)('names the download of a PDF originally named %j %j', (given, expected) => {
  expect(downloadName({ name: '0123.pdf', original_name: given })).toBe(expected);
});

/** Creates a generator with that catalogue. */
async function withCatalogue(bytes: Uint8Array<ArrayBuffer>, name: string) {
  const { admin } = await signedIn();
  const files = (await filesFor(generators)).map((file) =>
    file.field === 'catalog' ? { ...file, bytes, name } : file,
  );
  return { admin, answer: await admin.post(generators.endpoints.create, formOf(valuesFor(generators.fields), files)) };
}

test('serves a PDF that was uploaded as a page as a PDF', async () => {
  const { admin, answer } = await withCatalogue(pdf('<script>alert(1)</script>'), 'evil\u202e.html');
  const { catalog } = (await admin.get(`${generators.endpoints.single}/${answer.json().id}`)).json();
  const served = await admin.get(`/uploads/${catalog}`);
  expect(served.headers['content-type']).toBe('application/pdf');
  expect(served.headers['content-disposition']).toBe(
    `attachment; filename="evil.html.pdf"; filename*=UTF-8''evil.html.pdf`,
  );
});

test('writes a file name twice: plain for old clients, and complete with special characters escaped', () => {
  const file = { name: '0123.pdf', original_name: "Dealer's “Größe” (1).pdf" };
  expect(attachment(file)).toBe(
    `attachment; filename="Dealer_s _Gr__e_ (1).pdf"; filename*=UTF-8''Dealer%27s%20%E2%80%9CGr%C3%B6%C3%9Fe%E2%80%9D%20%281%29.pdf`,
  );
});

const wordOf = (...members: string[]) => {
  const names = ['[Content_Types].xml', 'word/document.xml', ...members];
  return zipOf(Object.fromEntries(names.map((name) => [name, new Uint8Array()])));
};
const oleOf = (...streams: string[]) =>
  bytesOf(
    '\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1',
    Buffer.alloc(600),
    ...streams.map((name) => Buffer.from(name, 'utf16le')),
  );

test.each([
  ['a document with macros', wordOf('word/vbaProject.bin')],
  ['a document with a control', wordOf('word/activeX/activeX1.xml')],
  ['a document with a packed object', wordOf('word/embeddings/oleObject1.bin')],
  ['a document with a program inside', wordOf('word/media/setup.EXE')],
  ['a document with a script inside', wordOf('word/run.js')],
  ['an old document with macros', oleOf('WordDocument', 'Macros', '_VBA_PROJECT')],
  ['an old document with something packed into it', oleOf('WordDocument', '\u0001Ole10Native')],
])('refuses %s as a catalogue', async (_what, bytes) => {
  const { answer } = await withCatalogue(bytes, 'catalogue.docx');
  expect([answer.statusCode, Object.keys(answer.json().errors ?? {})]).toEqual([422, ['catalog']]);
});

test.each([
  ['a document with pictures', wordOf('word/media/image1.jpeg', 'docProps/app.xml')],
  ['an old document', oleOf('WordDocument', '1Table')],
])('accepts %s as a catalogue', async (_what, bytes) => {
  expect((await withCatalogue(bytes, 'catalogue.doc')).answer.statusCode).toBe(200);
});
