import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { HEAD_BYTES, mayBeTaken, sniff } from '../../server/uploads/sniff.ts';
import { bytesOf } from './corpus/bytes.ts';
import { zipOf } from './corpus/zip.ts';
import { freshFolder } from './harness.ts';

/** The detected type of a file with these bytes. */
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
])('detects a file starting with %j as %s', async (begin, type) => {
  expect(await typeOf(begin, 'and so on')).toBe(type);
  expect(mayBeTaken(Buffer.from(begin, 'latin1'))).toBe(type !== undefined);
});

const WORD_ZIP = 'PK\x03\x04 PK\x01\x02[Content_Types].xml PK\x01\x02word/document.xml ';
const WORD_ZIP_TYPE = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

const PROGRAMS = 'exe dll scr com bat cmd msi js jse vbs vbe wsf hta ps1 lnk jar EXE'.split(' ');

test.each(PROGRAMS)(
  'refuses a Word document with a member ending in .%s, even at the end of the file',
  async (ending) => {
    expect(await typeOf(WORD_ZIP, `PK\x01\x02word/x.${ending}`, 'PK\x05\x06')).toBeUndefined();
    expect(await typeOf(WORD_ZIP, `PK\x01\x02word/x.${ending}`)).toBeUndefined();
    expect(await typeOf(WORD_ZIP, `PK\x01\x02word/x.${ending}on`, 'PK\x05\x06')).toBe(WORD_ZIP_TYPE);
  },
);

test.each(['word/vbaProject.bin', 'word/vbaData.xml', 'word/activeX/activeX1.xml', 'word/embeddings/oleObject12.bin'])(
  'refuses a Word document with a member %s',
  async (member) => {
    expect(await typeOf(WORD_ZIP, `PK\x01\x02${member}`, 'PK\x05\x06')).toBeUndefined();
  },
);

test('checks the directory of a Word document, not its text', async () => {
  const text = `PK\x03\x04 run setup.exe ${' '.repeat(200)} PK\x01\x02`;
  expect(await typeOf(text, '[Content_Types].xml PK\x01\x02word/document.xml ')).toBe(WORD_ZIP_TYPE);
  expect(await typeOf(WORD_ZIP.replace('[Content_Types].xml', 'Content_Types.xml'))).toBeUndefined();
  expect(await typeOf(WORD_ZIP.replace('word/document.xml', 'xl/workbook.xml'))).toBeUndefined();
});

const WORD = { '[Content_Types].xml': Buffer.from('<Types/>'), 'word/document.xml': Buffer.from('<document/>') };
/** A workbook behind a chart, stored uncompressed. */
const WORKBOOK = zipOf({ 'xl/workbook.xml': Buffer.from('<workbook/>') });

test('accepts a Word document with a workbook, whatever the bytes of the photo behind it look like', async () => {
  const photo = Buffer.from('\xFF\xD8\xFF\xE0 some bytes .js more bytes', 'latin1');
  const members = { ...WORD, 'word/embeddings/sheet.xlsx': WORKBOOK, 'word/media/photo.jpg': photo };
  expect(await typeOf(zipOf(members))).toBe(WORD_ZIP_TYPE);
  expect(await typeOf(zipOf({ ...members, 'word/run.js': photo }))).toBeUndefined();
  expect(await typeOf(zipOf({ 'word/other.docx': zipOf(WORD), 'word/media/photo.jpg': photo }))).toBeUndefined();
});

test('checks all of a Word document whose directory is not where its end record says', async () => {
  const runs = Buffer.from(zipOf({ ...WORD, 'word/run.js': Buffer.of(0) }));
  for (const place of [1, runs.length + 1, 0xff_ff_ff_ff]) {
    const damaged = Buffer.from(runs);
    damaged.writeUInt32LE(place, runs.length - 6);
    expect(await typeOf(damaged)).toBeUndefined();
  }
  // A reader that checks how much follows an end record uses the one before.
  const other = Buffer.from(zipOf(WORD));
  other.writeUInt32LE(other.readUInt32LE(other.length - 6) + runs.length, other.length - 6);
  expect(await typeOf(runs, other)).toBe(WORD_ZIP_TYPE);
  expect(await typeOf(runs, other, 'more')).toBeUndefined();
  expect(await typeOf(runs.subarray(0, -1))).toBeUndefined();
});

test.each('docm dotm xlsm xltm xlam xlsb pptm potm ppsm XLSM'.split(' '))(
  'refuses a Word document with an embedded .%s, whose macros are compressed',
  async (ending) => {
    expect(await typeOf(zipOf({ ...WORD, [`word/embeddings/sheet.${ending}`]: WORKBOOK }))).toBeUndefined();
  },
);

test('finds a program whose name spans two chunks of the file', async () => {
  const directory = (name: string) => {
    const text = WORD_ZIP.padEnd(1024 * 1024 - 200);
    return `${text}PK\x01\x02${' '.repeat(42)}${name.padStart(250, 'x')} the end of the directory`;
  };
  expect(await typeOf(directory('photo.png'))).toBe(WORD_ZIP_TYPE);
  expect(await typeOf(directory('setup.exe'))).toBeUndefined();
});

test.each(['_VBA_PROJECT', 'Macros', '\u0001Ole10Native', '\u0001Ole10ItemName'])(
  'refuses an old Word document with a stream %j',
  async (stream) => {
    const utf16 = (text: string) => Buffer.from(text, 'utf16le');
    const ole = '\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1';
    expect(await typeOf(ole, utf16('WordDocument'))).toBe('application/msword');
    expect(await typeOf(ole, utf16('WordDocument'), utf16(stream))).toBeUndefined();
  },
);
