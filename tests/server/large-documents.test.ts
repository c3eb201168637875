import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { HEAD_BYTES, sniff } from '../../server/uploads/sniff.ts';
import { freshFolder } from './harness.ts';

const SEAM = 1024 * 1024;
const WORD = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

const latin = (text: string) => Buffer.from(text, 'latin1');

/** The detected type of a file with a text at a place and the rest that belongs to it. */
async function typeWith(begin: Buffer, rest: Buffer, text: Buffer, place: number): Promise<string | undefined> {
  const bytes = Buffer.alloc(place + text.length + 2000);
  begin.copy(bytes);
  rest.copy(bytes, begin.length);
  text.copy(bytes, place);
  const path = join(await freshFolder(), 'document');
  await writeFile(path, bytes);
  return sniff(bytes.subarray(0, HEAD_BYTES), path);
}

const ZIP = latin('PK\x03\x04');
const DIRECTORY = latin('PK\x01\x02 [Content_Types].xml PK\x01\x02 word/document.xml ');
const OLE = latin('\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1');
const utf16 = (text: string) => Buffer.from(text, 'utf16le');

test.each([-20, -14, -7, -4, -3, -1, 0, 5])(
  'finds a program in a docx %i bytes from the seam of two chunks',
  async (shift) => {
    for (const name of ['word/vbaProject.bin', 'x.exe ', 'x.jsPK\x01\x02'])
      expect(await typeWith(ZIP, DIRECTORY, latin(name), SEAM + shift)).toBeUndefined();
    expect(await typeWith(ZIP, DIRECTORY, latin('docProps/app.json '), SEAM + shift)).toBe(WORD);
  },
);

test.each([-50, -10, -3, -2, 0])(
  'finds the directory of a docx %i bytes from the seam of two chunks',
  async (shift) => {
    expect(await typeWith(ZIP, latin(''), DIRECTORY, SEAM + shift)).toBe(WORD);
  },
);

test.each([-20, -11, -1, 0])('finds the streams of a doc %i bytes from the seam of two chunks', async (shift) => {
  expect(await typeWith(OLE, latin(''), utf16('WordDocument'), SEAM + shift)).toBe('application/msword');
  expect(await typeWith(OLE, utf16('WordDocument'), utf16('Macros'), SEAM + shift)).toBeUndefined();
});
