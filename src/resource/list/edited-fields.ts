import { isValue, type ValueField } from '../../domain/fields.ts';
import type { Resource } from '../../domain/resource.ts';
import { leadingColumn } from './row-size.ts';

/** The fields that bulk edit can set. Excludes dependent lookups and the fields they depend on. */
export function bulkFields(resource: Resource): ValueField[] {
  const parents = resource.fields.flatMap((field) => (field.kind === 'lookup' ? (field.dependsOn ?? []) : []));
  return resource.fields
    .filter(isValue)
    .filter((field) => !parents.includes(field.name) && (field.kind !== 'lookup' || field.dependsOn === undefined));
}

/** The fields with a cell editor: those the list shows, except the one that links to the record. */
export function editedInPlace(resource: Resource): ValueField[] {
  const listed = [...resource.columns.map(({ field }) => field), ...resource.facts];
  const leading = leadingColumn(resource)?.field;
  return bulkFields(resource).filter(({ name }) => listed.includes(name) && name !== leading);
}
