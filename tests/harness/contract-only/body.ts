import { Refusal } from './answers.ts';
import { contentType, type ContentType } from './content-type.ts';

const MEGABYTE = 1024 * 1024;
/** `post_max_size`: a larger request is refused before any other check. */
const MAX_REQUEST = 12 * MEGABYTE;
/** `upload_max_filesize`: a larger file counts as failed. */
const MAX_UPLOAD = 10 * MEGABYTE;
/** `max_file_uploads`: files beyond this number are dropped silently. */
const MAX_FILES = 20;
/** What the newest Laravel's `Str::trim` removes at both ends besides white space (`Str::INVISIBLE_CHARACTERS`). */
const INVISIBLE = [
  [0x00, 0xad, 0x034f, 0x061c, 0x115f, 0x1160, 0x17b4, 0x17b5, 0x180e, 0x200b, 0x200c, 0x200d, 0x200e, 0x200f],
  [0x2060, 0x2061, 0x2062, 0x2063, 0x2064, 0x2065, 0x206a, 0x206b, 0x206c, 0x206d, 0x206e, 0x206f, 0x2800, 0x3164],
  [0xfeff, 0xffa0, 0x1d159, 0x1d173, 0x1d174, 0x1d175, 0x1d176, 0x1d177, 0x1d178, 0x1d179, 0x1d17a, 0xe0020],
]
  .flat()
  .map((code) => String.fromCodePoint(code));
/** Laravel's TrimStrings does not trim these. */
const UNTRIMMED = ['password', 'password_confirmation', 'current_password'];

/** A file as PHP received it. `failed` if it exceeded PHP's limit. */
export interface Upload {
  readonly clientName: string;
  readonly bytes: Uint8Array;
  readonly type: ContentType | undefined;
  readonly failed: boolean;
}

/** The value of a name in the body. Empty texts are null. A name that ends in `[]` makes a list. */
export type Input = string | null | Upload | readonly Item[];
type Item = string | null | Upload;

export type Body = ReadonlyMap<string, Input>;

/** Reads a request's body as PHP and Laravel's middleware do. An unreadable body counts as empty. */
export async function readBody(request: Request): Promise<Body> {
  const bytes = await request.bytes();
  if (bytes.length > MAX_REQUEST) throw new Refusal(413, '');
  const type = request.headers.get('content-type') ?? '';
  if (bytes.length === 0) return new Map();
  return type.includes('json') ? readJson(bytes) : readForm(bytes, type);
}

/** Returns the text under a name. Null if it is missing, empty or a file. */
export function textOf(body: Body, name: string): string | null {
  const value = body.get(name);
  return typeof value === 'string' ? value : null;
}

export function isUpload(value: Input | undefined): value is Upload {
  return typeof value === 'object' && value !== null && 'bytes' in value;
}

function readJson(bytes: Uint8Array): Body {
  try {
    const data: unknown = JSON.parse(new TextDecoder().decode(bytes));
    if (typeof data !== 'object' || data === null) return new Map();
    return new Map(Object.entries(data).map(([name, value]) => [name, clean(name, String(value ?? ''))]));
  } catch {
    return new Map();
  }
}

async function readForm(bytes: Uint8Array, type: string): Promise<Body> {
  const body = new Map<string, Input>();
  let files = 0;
  for (const [name, value] of await formEntries(bytes, type)) {
    if (typeof value === 'string') put(body, name, clean(name, value));
    else if (value.name !== '' || value.size > 0) {
      files += 1;
      if (files <= MAX_FILES) put(body, name, await uploadOf(value));
    }
  }
  return body;
}

async function formEntries(bytes: Uint8Array, type: string): Promise<[string, string | File][]> {
  try {
    const form = await new Response(new Uint8Array(bytes), { headers: { 'content-type': type } }).formData();
    return [...form.entries()];
  } catch {
    return [];
  }
}

function put(body: Map<string, Input>, name: string, value: Item): void {
  if (!name.endsWith('[]')) {
    body.set(name, value);
    return;
  }
  const key = name.slice(0, -2);
  const before = body.get(key);
  body.set(key, Array.isArray(before) ? [...before, value] : [value]);
}

async function uploadOf(file: File): Promise<Upload> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const failed = bytes.length > MAX_UPLOAD;
  return { clientName: file.name, bytes, type: contentType(bytes), failed };
}

function clean(name: string, text: string): string | null {
  const kept = UNTRIMMED.includes(name) ? text : trimmed(text);
  return kept === '' ? null : kept;
}

function trimmed(text: string): string {
  const letters = Array.from(text);
  const isLetter = (letter: string) => letter.trim() !== '' && !INVISIBLE.includes(letter);
  return letters.slice(letters.findIndex(isLetter), letters.findLastIndex(isLetter) + 1).join('');
}
