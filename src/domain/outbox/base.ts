import { type Field, isManyFiles, isSingleFile, isValue } from '../fields.ts';
import { type Resource, type ServerRecord, textOf } from '../resource.ts';
import type { Values } from '../validate.ts';
import { sameText } from './conflict.ts';
import type { RecordView } from './optimistic-view.ts';
import type { Base, FileReference } from './vocabulary.ts';

type Owner = Pick<Resource, 'fields'>;
type Parts = Readonly<Record<string, unknown>>;

/** The base of a change of a record, or of a list row: a part that it does not hold was not seen. */
export function baseOf({ fields }: Owner, record: Parts): Base {
  const version = textOf(record['version']);
  const images = record['images'] as ServerRecord['images'];
  const seen = (isPart: (field: Field) => boolean) =>
    Object.fromEntries(
      fields
        .filter((field) => isPart(field) && record[field.name] !== undefined)
        .map(({ name }) => [name, textOf(record[name])]),
    );
  const files = seen(isSingleFile);
  return {
    ...(version === '' ? {} : { version }),
    values: seen(isValue),
    ...(images === undefined && fields.some(isManyFiles) ? {} : { imageIds: images?.map(({ id }) => id) ?? [] }),
    ...(Object.keys(files).length === 0 ? {} : { files }),
  };
}

/**
 * The base of a change made in a list: what the row shows, and the rest from what this device knows of the record. A version
 * of the record covers the row only if both say the same. `sent` are the user's own confirmed files of the record, known by
 * their bytes: row and record may still name those that they have replaced.
 */
export function baseOfRow(
  owner: Owner,
  row: Parts,
  record: Base | undefined,
  sent: readonly FileReference[] = [],
): Base {
  const shown = baseOf(owner, row);
  if (shown.version !== undefined || record === undefined) return shown;
  const { version, ...known } = record;
  const agrees = isIn(shown.values, known.values) && isIn(shown.files, known.files);
  const { ownFiles } = withSentFiles(known, sent);
  return {
    ...known,
    ...(version !== undefined && agrees && { version }),
    values: { ...known.values, ...shown.values },
    files: { ...known.files, ...shown.files },
    ...(ownFiles && { ownFiles }),
  };
}

function isIn(shown: Values = {}, known: Values = {}): boolean {
  return Object.entries(shown).every(([field, text]) => sameText(text, known[field]));
}

/** The base of a form that shows this view, including the user's pending changes. */
export function baseOfView(view: RecordView): Base {
  const { version, values, images, files, sentFiles } = view;
  const base = {
    ...(version === undefined ? {} : { version }),
    values,
    imageIds: images.map(({ id }) => id),
    files: withoutReplaced(files, view),
  };
  return withSentFiles(base, sentFiles);
}

function withoutReplaced(files: Readonly<Record<string, string>>, view: RecordView): Record<string, string> {
  const replaced = view.pendingFiles.map(({ field }) => field);
  return Object.fromEntries(Object.entries(files).filter(([field]) => !replaced.includes(field)));
}

/** Drops the names of replaced files, and notes the sent ones by their hashes: their names and ids are not known. */
export function withSentFiles(base: Base, sent: readonly FileReference[]): Base {
  if (sent.length === 0) return base;
  const files = { ...base.files };
  const ownFiles: Record<string, readonly string[]> = { ...base.ownFiles };
  for (const { field, sha256 } of sent) {
    ownFiles[field] = [...(ownFiles[field] ?? []), sha256];
    delete files[field];
  }
  return { ...base, files, ownFiles };
}
