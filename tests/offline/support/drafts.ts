import { createHash } from 'node:crypto';
import type { OutboxEntry } from '../../../src/domain/outbox/vocabulary.ts';
import type { ChangeDraft } from '../../../src/offline/outbox/change-draft.ts';
import type { PickedFile } from '../../../src/offline/storage/files.ts';

type CreateDraft = Extract<ChangeDraft, { op: 'create' }>;

/** Texts of a generator that both kinds of server accept. */
export function generatorValues(mark: string): Record<string, string> {
  return {
    brand: `Brand ${mark}`,
    capacity: '100 kVA',
    generator_model: `G-${mark}`,
    engine_model: 'E-1',
    alternator_model: 'A-1',
    origin: 'UK',
    series: 'Perkins Series',
  };
}

/** A new generator with a catalogue and images, identified by `mark`. */
export function generatorDraft(mark: string, images = 1): CreateDraft {
  return {
    op: 'create',
    resource: 'generators',
    values: generatorValues(mark),
    files: [catalog(mark), ...Array.from({ length: images }, (_, index) => photo(`${mark}-${index}`))],
  };
}

/** The same, with an additional photo of this many bytes. */
export function heavyDraft(mark: string, bytes: number): CreateDraft {
  const { blob, ...facts } = photo(`${mark}-0`);
  const heavy = { ...facts, blob: new Blob([blob, new Uint8Array(bytes)]) };
  return { ...generatorDraft(mark, 0), files: [catalog(mark), heavy] };
}

/** An edit of a record that exists only on this device, or did when the form was opened. */
export function editOf(
  { change }: OutboxEntry,
  values: Readonly<Record<string, string>>,
  files: readonly PickedFile[] = [],
) {
  if (change.op !== 'create') throw new Error('Only a new record is edited like this.');
  const { resource, recordId } = change;
  const base = { values: change.values, imageIds: [] };
  return { op: 'update', resource, recordId, values: { ...change.values, ...values }, files, base } as const;
}

/** A catalogue file. */
function catalog(mark: string): PickedFile {
  return {
    field: 'catalog',
    blob: new Blob([`%PDF-1.4\n% ${mark}\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n`]),
    name: `${mark}.pdf`,
    type: 'application/pdf',
  };
}

// A complete GIF of one pixel. Readers ignore what follows its end.
const PIXEL = Uint8Array.from(atob('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'), (c) => c.charCodeAt(0));

/** A small image with unique bytes. */
export function photo(mark: string, field = 'images'): PickedFile {
  return { field, blob: new Blob([PIXEL, mark]), name: `${mark}.gif`, type: 'image/gif' };
}

/** Lower-case hexadecimal SHA-256 of a picked file's bytes. */
export async function hashOf(file: PickedFile): Promise<string> {
  return createHash('sha256')
    .update(new Uint8Array(await file.blob.arrayBuffer()))
    .digest('hex');
}
