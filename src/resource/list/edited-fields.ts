import { isValue, type ValueField } from '../../domain/fields.ts';
import type { Resource } from '../../domain/resource.ts';
import { leadingColumn } from './row-size.ts';

/** The fields that can be given one value in several records: a choice that depends on another field is no such. */
export function bulkFields(resource: Resource): ValueField[] {
  const parents = resource.fields.flatMap((field) => (field.kind === 'lookup' ? (field.dependsOn ?? []) : []));
  return resource.fields
    .filter(isValue)
    .filter((field) => !parents.includes(field.name) && (field.kind !== 'lookup' || field.dependsOn === undefined));
}

/** The fields that can be edited where they stand in a list: those that it shows, but for the one that leads to the record. */
export function editedInPlace(resource: Resource): ValueField[] {
  const listed = [...resource.columns.map(({ field }) => field), ...resource.facts];
  const leading = leadingColumn(resource)?.field;
  return bulkFields(resource).filter(({ name }) => listed.includes(name) && name !== leading);
}
