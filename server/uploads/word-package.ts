import { type FileHandle, open } from 'node:fs/promises';
import { constants, inflateRaw } from 'node:zlib';
import { promisify } from 'node:util';

/*
 * What a Word document holds besides text and pictures, by its content types, its relationships (ECMA-376, part 2) and the first bytes of
 * its parts. Names of parts say nothing: Word finds its macros by a relationship, whatever they are called.
 */

/**
 * Why a Word document is refused: it holds something that runs, loads its template, or loads something else when it is opened, or its parts
 * cannot be looked through.
 */
export type WordFault = 'runs' | 'template' | 'elsewhere' | 'unreadable';

/** Reads bytes of an archive. Fewer at its end. */
type Read = (position: number, length: number) => Promise<Buffer>;

interface Member {
  readonly name: string;
  readonly method: number;
  readonly packed: number;
  readonly at: number;
}

const inflate = promisify<Buffer, object, Buffer>(inflateRaw);

const DIRECTORY_MARK = 0x02014b50;
const MEMBER_MARK = 0x04034b50;
const STORED = 0;
const DEFLATED = 8;

/** Bounds of what is read of one archive. Documents by Word have some hundred parts, and kilobytes of relationships. */
const MOST_DIRECTORY = 4 * 1024 * 1024;
const MOST_XML = 4 * 1024 * 1024;
const MOST_NESTED = 32 * 1024 * 1024;
/** Archives in archives. */
const MOST_DEPTH = 2;

/**
 * Looks through the parts of a Word document whose central directory is at `directoryAt`. Undefined if there is nothing to refuse, or no
 * directory that could be read: then there is nothing that Word could open.
 */
export async function wordFault(path: string, directoryAt: number): Promise<WordFault | undefined> {
  const file = await open(path);
  try {
    return await faultIn(readerOf(file), directoryAt, 0);
  } finally {
    await file.close();
  }
}

function readerOf(file: FileHandle): Read {
  return async (position, length) => {
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(length), position });
    return buffer.subarray(0, bytesRead);
  };
}

async function faultIn(read: Read, directoryAt: number, depth: number): Promise<WordFault | undefined> {
  const members = membersIn(await read(directoryAt, MOST_DIRECTORY));
  let budget = MOST_XML;
  for (const member of members) {
    const fault = await faultOfPart(read, member, depth);
    if (fault !== undefined) return fault;
    const isTypes = member.name.toLowerCase() === '[content_types].xml';
    if (!isTypes && !/\.rels$/i.test(member.name)) continue;
    const bytes = await contentOf(read, member, budget);
    if (bytes === undefined) return 'unreadable';
    budget -= bytes.length;
    const text = xmlOf(bytes);
    if (text === undefined) return 'unreadable';
    const found = isTypes ? faultOfTypes(text, members) : faultOfRelationships(text);
    if (found !== undefined) return found;
  }
  return undefined;
}

function membersIn(directory: Buffer): readonly Member[] {
  const members: Member[] = [];
  let at = 0;
  while (at + 46 <= directory.length && directory.readUInt32LE(at) === DIRECTORY_MARK) {
    const nameEnd = at + 46 + directory.readUInt16LE(at + 28);
    members.push({
      name: directory.toString('utf8', at + 46, nameEnd),
      method: directory.readUInt16LE(at + 10),
      packed: directory.readUInt32LE(at + 20),
      at: directory.readUInt32LE(at + 42),
    });
    at = nameEnd + directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32);
  }
  return members;
}

/** First bytes of things that run: the container of macros and OLE objects, and programs of Windows, Linux, macOS and Java. */
const RUNS = ['D0CF11E0A1B11AE1', '4D5A', '7F454C46', 'CFFAEDFE', 'CAFEBABE', '4C000000011402'].map((hex) =>
  Buffer.from(hex, 'hex'),
);
const ARCHIVE = Buffer.from('PK\u0003\u0004');
const HEAD = 1024;

async function faultOfPart(read: Read, member: Member, depth: number): Promise<WordFault | undefined> {
  const head = await contentOf(read, member, HEAD, true);
  if (head === undefined) return undefined;
  if (RUNS.some((begin) => head.subarray(0, begin.length).equals(begin))) return 'runs';
  if (!head.subarray(0, ARCHIVE.length).equals(ARCHIVE)) return undefined;
  // an embedded workbook may have macros as well
  const nested = depth < MOST_DEPTH ? await contentOf(read, member, MOST_NESTED) : undefined;
  if (nested === undefined) return 'unreadable';
  const directoryAt = nested.indexOf(Buffer.from('PK\u0001\u0002'));
  if (directoryAt < 0) return undefined;
  return faultIn(async (position, length) => nested.subarray(position, position + length), directoryAt, depth + 1);
}

/**
 * The content of a member, or its beginning. Undefined if it is unreadable, or longer than `most` bytes where all of it is wanted.
 */
async function contentOf(read: Read, member: Member, most: number, isBeginning = false): Promise<Buffer | undefined> {
  const header = await read(member.at, 30);
  if (header.length < 30 || header.readUInt32LE(0) !== MEMBER_MARK) return undefined;
  const start = member.at + 30 + header.readUInt16LE(26) + header.readUInt16LE(28);
  if (!isBeginning && member.packed > most) return undefined;
  const packed = await read(start, Math.min(member.packed, most));
  if (member.method === STORED) return packed;
  if (member.method !== DEFLATED) return undefined;
  const options = isBeginning
    ? { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: packed.length * 1100 + HEAD }
    : { maxOutputLength: most };
  return inflate(packed, options).catch(() => undefined);
}

/** Encodings in which every ASCII character is one byte or two. */
const KNOWN_ENCODING = /^(utf-?8|utf-?16(le|be)?|us-ascii|iso-8859-\d+|windows-125\d)$/i;

/** The text of an XML part with its entities replaced. Undefined for what no document has: its own entities, or another encoding. */
function xmlOf(bytes: Buffer): string | undefined {
  const text = decoded(bytes);
  const encoding = /^[^<]*<\?xml[^>]*\bencoding\s*=\s*["']([^"']*)/i.exec(text)?.[1];
  if (encoding !== undefined && !KNOWN_ENCODING.test(encoding)) return undefined;
  return /<!DOCTYPE|<!ENTITY/i.test(text) ? undefined : text.replaceAll(/<!--[\s\S]*?-->/g, '');
}

function decoded(bytes: Buffer): string {
  const [first, second] = bytes;
  if ((first === 0xfe && second === 0xff) || first === 0)
    return Buffer.from(bytes.subarray(0, bytes.length & ~1))
      .swap16()
      .toString('utf16le');
  return (first === 0xff && second === 0xfe) || second === 0 ? bytes.toString('utf16le') : bytes.toString('utf8');
}

/** The tags of a name, whatever the prefix of their namespace, as maps of attributes. */
function tagsIn(text: string, name: string): readonly ReadonlyMap<string, string>[] {
  const tags = text.matchAll(new RegExp(`<(?:[\\w.-]+:)?${name}\\b((?:"[^"]*"|'[^']*'|[^>"'])*)>`, 'g'));
  return [...tags].map(
    ([, attributes = '']) =>
      new Map(
        [...attributes.matchAll(/([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g)].map(([, key = '', one, other]) => [
          key,
          withCharacters(one ?? other ?? ''),
        ]),
      ),
  );
}

function withCharacters(text: string): string {
  return text
    .replaceAll(/&#x([\da-f]{1,6});/gi, (_all, hex: string) => characterOf(Number.parseInt(hex, 16)))
    .replaceAll(/&#(\d{1,7});/g, (_all, digits: string) => characterOf(Number(digits)))
    .replaceAll('&amp;', '&');
}

function characterOf(code: number): string {
  return code <= 0x10_ff_ff ? String.fromCodePoint(code) : '';
}

/** Content types of macros, controls, OLE objects, and documents with any of them. */
const TYPE_RUNS =
  /macroenabled|vbaproject|vbadata|activex|oleobject|excel\.sheet\.binary|ms-package|x-ms(do|-do)wnload|script/i;

function faultOfTypes(text: string, members: readonly Member[]): WordFault | undefined {
  const endings = new Set(members.map(({ name }) => name.slice(name.lastIndexOf('.') + 1).toLowerCase()));
  const types = [
    ...tagsIn(text, 'Override'),
    // a default says something only of parts that are there
    ...tagsIn(text, 'Default').filter((tag) => endings.has(tag.get('Extension')?.toLowerCase() ?? '')),
  ];
  return types.some((tag) => TYPE_RUNS.test(tag.get('ContentType') ?? '')) ? 'runs' : undefined;
}

/** The last words of relationship types to macros, toolbars, controls, OLE objects, and documents that Word takes in. */
const RELATION_RUNS = /\/(wordVbaData|vbaProject\w*|attachedToolbars|control|activeXControlBinary|oleObject|aFChunk)$/i;

/** Addresses that name neither a share nor a program: Windows signs in to whatever share a document names. */
const SHOWN = /^(https?:|[\w .()-]+(\/[\w .()-]+)*$)/i;

function faultOfRelationships(text: string): WordFault | undefined {
  for (const tag of tagsIn(text, 'Relationship')) {
    const type = tag.get('Type') ?? '';
    if (RELATION_RUNS.test(type)) return 'runs';
    if (tag.get('TargetMode')?.toLowerCase() !== 'external') continue;
    if (/\/attachedTemplate$/i.test(type)) return 'template';
    // the reader follows a link; a picture of a site, or beside the document, is only shown
    const isShown = /\/image$/i.test(type) && SHOWN.test(tag.get('Target') ?? '');
    if (!/\/hyperlink$/i.test(type) && !isShown) return 'elsewhere';
  }
  return undefined;
}
