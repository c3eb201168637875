import { readFile } from 'node:fs/promises';
import type { FileType } from '../../src/domain/fields.ts';

/** How many first bytes `signatureOf` looks at. */
export const HEAD_BYTES = 16;

type Signature = FileType | 'zip' | 'ole' | undefined;

/**
 * The media type that a file's content shows, whatever its name and declared type say; undefined for a type that is not taken.
 * `head` is the file's beginning, `path` where the whole of it is.
 */
export async function sniff(head: Buffer, path: string): Promise<FileType | undefined> {
  const signature = signatureOf(head);
  if (signature === 'zip') return isWordZip(await readFile(path)) ? WORD_ZIP : undefined;
  if (signature === 'ole') return isWordOle(await readFile(path)) ? 'application/msword' : undefined;
  return signature;
}

/** True when a file that begins like this can be of a type that is taken. `sniff` tells for certain, of the whole file. */
export function mayBeTaken(head: Buffer): boolean {
  return signatureOf(head) !== undefined;
}

const WORD_ZIP = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

function signatureOf(head: Buffer): Signature {
  const starts = (bytes: string, at = 0) => head.subarray(at, at + bytes.length).equals(Buffer.from(bytes, 'latin1'));
  if (starts('\xFF\xD8\xFF')) return 'image/jpeg';
  if (starts('\x89PNG\r\n\x1A\n')) return 'image/png';
  if (starts('RIFF') && starts('WEBP', 8)) return 'image/webp';
  if (starts('GIF87a') || starts('GIF89a')) return 'image/gif';
  if (starts('%PDF-')) return 'application/pdf';
  if (starts('PK\x03\x04')) return 'zip';
  if (starts('\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1')) return 'ole';
  return undefined;
}

/** Members of a docx that run something: macros, controls, packed objects, programs and scripts. */
const RUNS_SOMETHING =
  /vbaProject\.bin|vbaData\.xml|word\/activeX\/|oleObject\d*\.bin|\.(exe|dll|scr|com|bat|cmd|msi|js|jse|vbs|vbe|wsf|hta|ps1|lnk|jar)(?=PK\W|[^\w.]|$)/i;

/** Streams of a doc that do: macros, and what was packed into it. */
const OLE_PROGRAMS = ['_VBA_PROJECT', 'Macros', '\u0001Ole10Native', '\u0001Ole10ItemName'];

/** A docx is a ZIP archive that names these two members in its directory at the end. */
function isWordZip(bytes: Buffer): boolean {
  const directory = bytes.indexOf('PK\x01\x02', 0, 'latin1');
  if (directory < 0) return false;
  const names = bytes.subarray(directory);
  const isWord = names.includes('[Content_Types].xml') && names.includes('word/document.xml');
  return isWord && !RUNS_SOMETHING.test(names.toString('latin1'));
}

/** A doc is an OLE file with a stream of this name, in UTF-16. Excel and installers use the same envelope. */
function isWordOle(bytes: Buffer): boolean {
  const holds = (name: string) => bytes.includes(Buffer.from(name, 'utf16le'));
  return holds('WordDocument') && !OLE_PROGRAMS.some(holds);
}
