import { isAttachment } from '../fields.ts';
import { type Resource, type ServerRecord, textOf } from '../resource.ts';
import type { Base } from './vocabulary.ts';
import { type RecordView, valuesOf } from './optimistic-view.ts';

/** Turns a server record into the base of a change. */
export function baseOf(owner: Pick<Resource, 'fields'>, record: Omit<ServerRecord, 'id'>): Base {
  const version = textOf(record['version']);
  const files = owner.fields
    .filter((field) => isAttachment(field) && field.kind !== 'images')
    .map(({ name }) => [name, textOf(record[name])] as const);
  return {
    ...(version === '' ? {} : { version }),
    values: valuesOf(owner, record),
    imageIds: (record['images'] as ServerRecord['images'] | undefined)?.map(({ id }) => id) ?? [],
    ...(files.length === 0 ? {} : { files: Object.fromEntries(files) }),
  };
}

/** The base of a form that shows this view, including the user's pending changes. */
export function baseOfView(view: RecordView): Base {
  const { version, values, images, files } = view;
  return {
    ...(version === undefined ? {} : { version }),
    values,
    imageIds: images.map(({ id }) => id),
    files: withoutReplaced(files, view),
  };
}

function withoutReplaced(files: Readonly<Record<string, string>>, view: RecordView): Record<string, string> {
  const replaced = view.pendingFiles.map(({ field }) => field);
  return Object.fromEntries(Object.entries(files).filter(([field]) => !replaced.includes(field)));
}
