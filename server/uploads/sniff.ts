import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import type { FileType } from '../../src/domain/fields.ts';
import { type WordFault, wordFault } from './word-package.ts';

/** The number of leading bytes that `signatureOf` examines. */
export const HEAD_BYTES = 16;

type Signature = FileType | 'zip' | 'ole' | undefined;

/**
 * The media type of a file's content, whatever its name and declared type. Undefined for types that are not accepted. `head`
 * is the beginning of the file, `path` the path of all of it.
 */
export async function sniff(head: Buffer, path: string): Promise<FileType | undefined> {
  return (await examine(head, path)).type;
}

/** What the content of a file shows. */
export interface Examined {
  /** Undefined for types that are not accepted. */
  readonly type: FileType | undefined;
  /** Why a Word document is not accepted. Absent for everything else. */
  readonly fault?: WordFault;
}

/** Like `sniff`, with the reason why a Word document is refused. */
export async function examine(head: Buffer, path: string): Promise<Examined> {
  const signature = signatureOf(head);
  if (signature === 'zip') return examineZip(path);
  if (signature === 'ole') return examineOle(path);
  return { type: signature };
}

/** True if a file with this beginning can be of an accepted type. `sniff` decides on the whole file. */
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

/** Members of a docx with executable content: macros, also of embedded documents, controls, objects, programs and scripts. */
const RUNS_SOMETHING =
  /vbaProject\.bin|vbaData\.xml|word\/activeX\/|oleObject\d*\.bin|\.(exe|dll|scr|com|bat|cmd|msi|js|jse|vbs|vbe|wsf|hta|ps1|lnk|jar|(do[ct]|xl[sta]|pp[ts]|pot)m|xlsb)(?=PK\W|[^\w.])/i;

/** Streams of a doc with executable content: macros and embedded objects. */
const OLE_PROGRAMS = [
  '_VBA_PROJECT',
  'Macros',
  'PROJECTwm',
  '\u0001Ole10Native',
  '\u0001Ole10ItemName',
  '\u0003ObjInfo',
];

const CHUNK_BYTES = 1024 * 1024;
/** Longer than any name searched for. */
const OVERLAP_BYTES = 128;

/** Reads a file in overlapping parts, so that no name is split. A document may be larger than the memory for it. */
async function* overlapping(path: string, start = 0): AsyncGenerator<Buffer> {
  let tail: Buffer = Buffer.alloc(0);
  for await (const chunk of createReadStream(path, { start, highWaterMark: CHUNK_BYTES }) as AsyncIterable<Buffer>) {
    const part = Buffer.concat([tail, chunk]);
    yield part;
    tail = part.subarray(-OVERLAP_BYTES);
  }
  // a name may be at the end of the file
  yield Buffer.concat([tail, Buffer.of(0)]);
}

const DIRECTORY = Buffer.from('PK\x01\x02', 'latin1');
const END = Buffer.from('PK\x05\x06', 'latin1');
/** The end of a ZIP archive without its comment, and the longest comment (APPNOTE.TXT, 4.3.16). */
const END_BYTES = 22;
const COMMENT_BYTES = 0xff_ff;

/** The offset of a ZIP archive's central directory, from its end record. Undefined if there is none. */
async function directoryOf(path: string): Promise<number | undefined> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const { buffer: last, bytesRead } = await file.read({
      buffer: Buffer.alloc(Math.min(size, END_BYTES + COMMENT_BYTES)),
      position: Math.max(0, size - END_BYTES - COMMENT_BYTES),
    });
    const end = last.lastIndexOf(END);
    if (end < 0 || bytesRead - end < END_BYTES || last.readUInt16LE(end + 20) !== bytesRead - end - END_BYTES)
      return undefined;
    const position = last.readUInt32LE(end + 16);
    const { buffer: mark } = await file.read({ buffer: Buffer.alloc(DIRECTORY.length), position });
    return mark.equals(DIRECTORY) ? position : undefined;
  } finally {
    await file.close();
  }
}

/**
 * A docx is a ZIP archive with these two members in its directory. Before the directory there may be anything, also those of
 * embedded archives. Without an end, all that follows the first directory is looked through.
 */
async function examineZip(path: string): Promise<Examined> {
  const directory = await directoryOf(path);
  const missing = new Set(['[Content_Types].xml', 'word/document.xml']);
  let isDirectory = false;
  for await (const part of overlapping(path, directory)) {
    const start = isDirectory ? 0 : part.indexOf(DIRECTORY);
    if (start < 0) continue;
    isDirectory = true;
    const names = part.toString('latin1', start);
    if (RUNS_SOMETHING.test(names)) return { type: undefined, fault: 'runs' };
    for (const name of missing) if (names.includes(name)) missing.delete(name);
  }
  if (missing.size > 0) return { type: undefined };
  const fault = directory === undefined ? undefined : await wordFault(path, directory);
  return fault === undefined ? { type: WORD_ZIP } : { type: undefined, fault };
}

/** A doc is an OLE file with a stream of this name, in UTF-16. Excel and installers use the same container. */
async function examineOle(path: string): Promise<Examined> {
  let isWord = false;
  for await (const part of overlapping(path)) {
    const holds = (name: string) => part.includes(Buffer.from(name, 'utf16le'));
    if (OLE_PROGRAMS.some(holds)) return { type: undefined, fault: 'runs' };
    isWord ||= holds('WordDocument');
  }
  return { type: isWord ? 'application/msword' : undefined };
}
