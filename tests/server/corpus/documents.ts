import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { pdf } from '../samples.ts';
import { type Bytes, bytesOf, cut, flipped, type Specimen } from './bytes.ts';

const require = createRequire(import.meta.url);

/** Documents written by Word, from the tests of a library that reads them. */
const WORD_FOLDER = join(dirname(require.resolve('mammoth/package.json')), 'test', 'test-data');

/** Word documents made by Word and other programs. */
export function wordDocuments(): Specimen[] {
  const names = readdirSync(WORD_FOLDER).filter((name) => name.endsWith('.docx'));
  return names.map((name) => [name, bytesOf(readFileSync(join(WORD_FOLDER, name)))]);
}

/** Broken, hostile and merely unusual documents. The server never parses one: it checks signatures and serves the bytes. */
export function documentCorpus(): Specimen[] {
  const word = wordDocuments();
  return [
    ...word,
    ...word.slice(0, 5).flatMap(cut),
    ...word.slice(0, 5).flatMap((specimen) => flipped(specimen, 10)),
    ...PDFS,
    ...PDFS.flatMap(cut),
    ['a ZIP that is not a Word document', bytesOf('PK\x03\x04', 'evil.exe', 'PK\x01\x02', 'evil.exe')],
    ['a ZIP bomb that calls itself a Word document', zipBomb()],
    ['an Excel file', bytesOf('\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1', Buffer.from('Workbook', 'utf16le'))],
    ['an installer', bytesOf('\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1', Buffer.alloc(4096))],
    ['a page', bytesOf('<!doctype html><script>alert(1)</script>')],
    ['a PDF with leading bytes', bytesOf('<html>', pdf())],
    ['rich text', bytesOf('{\\rtf1\\object\\objdata 0105}')],
  ];
}

const PDFS: Specimen[] = [
  ['a PDF', bytesOf(pdf())],
  ['a PDF with a script', pdfOf('<< /Type /Catalog /OpenAction << /S /JavaScript /JS (app.alert(1)) >> >>')],
  ['a PDF that starts a program', pdfOf('<< /Type /Catalog /OpenAction << /S /Launch /F (cmd.exe) >> >>')],
  ['a PDF that contains itself', pdfOf('<< /Type /Pages /Kids [1 0 R] /Parent 1 0 R /Count 99999999 >>')],
  ['a PDF whose stream unfolds to 100 MB', pdfOf('<< /Filter /FlateDecode >>', deflateSync(Buffer.alloc(100_000_000)))],
  ['a PDF that is also a page', pdfOf('<html><script>alert(1)</script></html>')],
  ['a PDF signature and nothing else', bytesOf('%PDF-')],
  ['a PDF of 5 MB of zeros', bytesOf('%PDF-1.7\n', Buffer.alloc(5_000_000))],
];

function pdfOf(object: string, stream: Uint8Array = Buffer.alloc(0)): Bytes {
  return bytesOf(
    `%PDF-1.7\n1 0 obj ${object} stream\n`,
    stream,
    '\nendstream endobj\ntrailer << /Root 1 0 R >>\n%%EOF',
  );
}

/** Forty entries of ten megabytes of zeros, compressed to a few kilobytes, under the names used in Word documents. */
function zipBomb(): Bytes {
  const packed = deflateSync(Buffer.alloc(10_000_000));
  const members = ['[Content_Types].xml', 'word/document.xml', ...Array.from({ length: 40 }, (_, n) => `${n}`)];
  const files = members.map((name) => Buffer.concat([Buffer.from(`PK\x03\x04${name}`, 'latin1'), packed]));
  const directory = members.map((name) => Buffer.from(`PK\x01\x02${name}`, 'latin1'));
  return bytesOf(...files, ...directory, 'PK\x05\x06');
}
