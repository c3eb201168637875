import { type AttachmentField, FILE_TYPE_NAMES, type FileType } from '../../domain/fields.ts';
import type { FormFile } from '../form-file.ts';
import { sha256 } from './hash.ts';
import { shrink } from './shrink.ts';
import { SNIFF_BYTES, type SniffedType, sniffType } from './sniff.ts';
import { t } from '../../language/t.ts';

/** A picked file prepared for a form, or a message why it is refused. */
export type Taken = { readonly ok: true; readonly file: FormFile } | { readonly ok: false; readonly reason: string };

/** Copies the bytes of a picked file, detects its type from the content, and rotates and shrinks photos. Never rejects. */
export async function takeFile(field: AttachmentField, file: File): Promise<Taken> {
  try {
    return await take(field, file);
  } catch {
    return {
      ok: false,
      reason: t('“{name}” couldn’t be read. Choose it again, or copy it to this device first.', { name: file.name }),
    };
  }
}

async function take(field: AttachmentField, file: File): Promise<Taken> {
  const buffer = await file.arrayBuffer();
  const bytes = new Uint8Array(buffer);
  const type = sniffType(bytes.subarray(0, SNIFF_BYTES), file.name);
  if (bytes.length === 0) return { ok: false, reason: t('“{name}” is empty.', { name: file.name }) };
  if (!isTaken(field, type)) return { ok: false, reason: unfit(field, file.name) };
  const copy = new Blob([buffer], { type });
  if (!type.startsWith('image/') || field.kind === 'file') return taken(field, file.name, copy);
  return takePhoto(field, file.name, copy, bytes, type);
}

async function takePhoto(
  field: AttachmentField,
  name: string,
  copy: Blob,
  bytes: Uint8Array,
  type: NonNullable<SniffedType>,
): Promise<Taken> {
  try {
    const smaller = await shrink(copy, bytes, type);
    if (smaller === undefined) return await taken(field, name, copy);
    return await taken(field, renamed(name, smaller.type), smaller, copy.size);
  } catch {
    return {
      ok: false,
      reason: type === 'image/heic' ? heicRefusal(name) : t('“{name}” is damaged or not a picture.', { name }),
    };
  }
}

async function taken(field: AttachmentField, name: string, blob: Blob, originalSize?: number): Promise<Taken> {
  return { ok: true, file: await formFile(field.name, name, blob, originalSize) };
}

/** Creates a form file. `originalSize`: bytes before it was shrunk. */
export async function formFile(field: string, name: string, blob: Blob, originalSize?: number): Promise<FormFile> {
  const hash = await sha256(await blob.arrayBuffer());
  return {
    key: crypto.randomUUID(),
    field,
    blob,
    name,
    type: blob.type,
    ...(hash === undefined ? {} : { sha256: hash }),
    ...(originalSize === undefined ? {} : { originalSize }),
  };
}

/** Picture fields accept HEIC here. It is converted to JPEG later, or refused with its own message. */
function isTaken(field: AttachmentField, type: SniffedType): type is NonNullable<SniffedType> {
  if (type === 'image/heic') return field.kind !== 'file';
  return type !== undefined && field.accept.includes(type);
}

function unfit(field: AttachmentField, name: string): string {
  const names = [...new Set(field.accept.map((type: FileType) => FILE_TYPE_NAMES[type]))].join(', ');
  return t('“{name}” isn’t a supported type: {names}.', { name, names });
}

function heicRefusal(name: string): string {
  return t(
    '“{name}” is a HEIC photo, which this browser cannot read. On the iPhone or iPad choose Settings › Camera › Formats › Most Compatible, or send it as JPEG.',
    { name },
  );
}

/** A file's name with the extension of its new type, PNG or JPEG. */
export function renamed(name: string, type: string): string {
  const extension = type === 'image/png' ? '.png' : '.jpg';
  return `${name.replace(/\.[^.]*$/, '')}${extension}`;
}
