import { isValue, type ValueField } from '../../domain/fields.ts';
import type { Resource } from '../../domain/resource.ts';
import { leadingColumn } from './row-size.ts';

/**
 * The fields that bulk edit can set to one value: all but the name that tells the records apart. A record that has nothing else
 * keeps it.
 */
export function bulkFields(resource: Resource): ValueField[] {
  const values = resource.fields.filter(isValue);
  const shared = values.filter(({ name }) => name !== resource.title.at(-1));
  return shared.length === 0 ? values : shared;
}

/** The fields that can be edited alone. Excludes dependent lookups and the fields they depend on. */
export function editedAlone(resource: Resource): ValueField[] {
  const parents = resource.fields.flatMap((field) => (field.kind === 'lookup' ? (field.dependsOn ?? []) : []));
  return resource.fields
    .filter(isValue)
    .filter((field) => !parents.includes(field.name) && (field.kind !== 'lookup' || field.dependsOn === undefined));
}

/** The fields with a cell editor: those the list shows, except the one that links to the record. */
export function editedInPlace(resource: Resource): ValueField[] {
  const listed = [...resource.columns.map(({ field }) => field), ...resource.facts];
  const leading = leadingColumn(resource)?.field;
  return editedAlone(resource).filter(({ name }) => listed.includes(name) && name !== leading);
}
