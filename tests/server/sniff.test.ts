import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { HEAD_BYTES, mayBeTaken, sniff } from '../../server/uploads/sniff.ts';
import { bytesOf } from './corpus/bytes.ts';
import { freshFolder } from './harness.ts';

/** What the type of a file with these bytes is. */
async function typeOf(...parts: Parameters<typeof bytesOf>): Promise<string | undefined> {
  const bytes = bytesOf(...parts);
  const path = join(await freshFolder(), 'file');
  await writeFile(path, bytes);
  return sniff(Buffer.from(bytes.subarray(0, HEAD_BYTES)), path);
}

test.each([
  ['GIF87a', 'image/gif'],
  ['GIF89a', 'image/gif'],
  ['GIF88a', undefined],
  ['RIFF\x10\x00\x00\x00WEBPVP8 ', 'image/webp'],
  ['RIFF\x10\x00\x00\x00WAVEfmt ', undefined],
  ['\xFF\xD8\xFF\xE0', 'image/jpeg'],
  ['\x89PNG\r\n\x1A\n', 'image/png'],
  ['\x89PNG\n\n\x1A\n', undefined],
  ['%PDF-1.7', 'application/pdf'],
  ['%PDX-1.7', undefined],
])('takes a file that begins with %j for %s', async (begin, type) => {
  expect(await typeOf(begin, 'and so on')).toBe(type);
  expect(mayBeTaken(Buffer.from(begin, 'latin1'))).toBe(type !== undefined);
});

const WORD_ZIP = 'PK\x03\x04 PK\x01\x02[Content_Types].xml PK\x01\x02word/document.xml ';
const WORD_ZIP_TYPE = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

const PROGRAMS = 'exe dll scr com bat cmd msi js jse vbs vbe wsf hta ps1 lnk jar EXE'.split(' ');

test.each(PROGRAMS)(
  'takes no Word document with a member that ends in .%s, also where the file ends with it',
  async (ending) => {
    expect(await typeOf(WORD_ZIP, `PK\x01\x02word/x.${ending}`, 'PK\x05\x06')).toBeUndefined();
    expect(await typeOf(WORD_ZIP, `PK\x01\x02word/x.${ending}`)).toBeUndefined();
    expect(await typeOf(WORD_ZIP, `PK\x01\x02word/x.${ending}on`, 'PK\x05\x06')).toBe(WORD_ZIP_TYPE);
  },
);

test.each(['word/vbaProject.bin', 'word/vbaData.xml', 'word/activeX/activeX1.xml', 'word/embeddings/oleObject12.bin'])(
  'takes no Word document with a member %s',
  async (member) => {
    expect(await typeOf(WORD_ZIP, `PK\x01\x02${member}`, 'PK\x05\x06')).toBeUndefined();
  },
);

test('looks at what a Word document says in its directory, and not at what its text says', async () => {
  const text = `PK\x03\x04 run setup.exe ${' '.repeat(200)} PK\x01\x02`;
  expect(await typeOf(text, '[Content_Types].xml PK\x01\x02word/document.xml ')).toBe(WORD_ZIP_TYPE);
  expect(await typeOf(WORD_ZIP.replace('[Content_Types].xml', 'Content_Types.xml'))).toBeUndefined();
  expect(await typeOf(WORD_ZIP.replace('word/document.xml', 'xl/workbook.xml'))).toBeUndefined();
});

test('finds a program by a name that begins in one part of the file and ends in the next', async () => {
  const directory = (name: string) => {
    const text = WORD_ZIP.padEnd(1024 * 1024 - 200);
    return `${text}PK\x01\x02${' '.repeat(42)}${name.padStart(250, 'x')} the end of the directory`;
  };
  expect(await typeOf(directory('photo.png'))).toBe(WORD_ZIP_TYPE);
  expect(await typeOf(directory('setup.exe'))).toBeUndefined();
});

test.each(['_VBA_PROJECT', 'Macros', '\u0001Ole10Native', '\u0001Ole10ItemName'])(
  'takes no old Word document with a stream %j',
  async (stream) => {
    const utf16 = (text: string) => Buffer.from(text, 'utf16le');
    const ole = '\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1';
    expect(await typeOf(ole, utf16('WordDocument'))).toBe('application/msword');
    expect(await typeOf(ole, utf16('WordDocument'), utf16(stream))).toBeUndefined();
  },
);
