import { createHash } from 'node:crypto';
import sharp from 'sharp';
import type { Field } from '../../src/domain/fields.ts';
import { isAttachment, wireName } from '../../src/domain/fields.ts';
import type { Resource } from '../../src/domain/resource.ts';
import type { TestFile } from './harness.ts';

type Bytes = Uint8Array<ArrayBuffer>;

/** A small picture of one colour. */
export async function picture(
  type: 'jpeg' | 'png' | 'webp' | 'gif' = 'png',
  colour = '#0f4c5c',
  size = 24,
): Promise<Bytes> {
  const image = sharp({ create: { width: size, height: size, channels: 3, background: colour } });
  return new Uint8Array(await image.toFormat(type).toBuffer());
}

/** A minimal PDF. */
export function pdf(text = 'catalogue'): Bytes {
  return new Uint8Array(
    Buffer.from(`%PDF-1.4\n% ${text}\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n`),
  );
}

export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Valid texts for every field of a record on a new installation. */
export function valuesFor(fields: readonly Field[], mark = 'one'): Record<string, string> {
  return Object.fromEntries(
    fields.filter((field) => !isAttachment(field)).map((field) => [field.name, valueFor(field, mark)]),
  );
}

const LOOKED_UP = {
  'generator-series': 'Perkins Series',
  'ups-types': 'Line Interactive',
  'gti-brands': 'SMA',
} as const;

function valueFor(field: Field, mark: string): string {
  switch (field.kind) {
    case 'integer':
      return String(mark.length);
    case 'choice':
      return field.options[0] ?? '';
    case 'lookup':
      return LOOKED_UP[field.lookup];
    case 'text':
      if (field.format === 'url') return `https://example.com/${mark}`;
      return field.format === 'email' ? `${mark}@example.com` : `${field.label} ${mark}`;
    default:
      return `${field.label} ${mark}`;
  }
}

/** One file for every single file field, and two for every multiple one. */
export async function filesFor(resource: Resource, mark = 'one'): Promise<TestFile[]> {
  const files = resource.fields.filter(isAttachment).map(async (field): Promise<TestFile[]> => {
    const name = wireName(field);
    if (field.kind === 'file') return [{ field: name, bytes: pdf(mark), name: `${mark}.pdf`, type: 'application/pdf' }];
    const png = { field: name, bytes: await picture('png'), name: `${mark}.png`, type: 'image/png' };
    if (field.kind === 'image') return [png];
    return [png, { field: name, bytes: await picture('jpeg', '#ff8800'), name: `${mark}.jpg`, type: 'image/jpeg' }];
  });
  return (await Promise.all(files)).flat();
}
