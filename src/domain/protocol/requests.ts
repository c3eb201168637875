import { type AnyResource, fieldOf, recordAddress, type Resource } from '../resource.ts';
import { resourceOf } from '../resources/index.ts';
import { isValue, wireName } from '../fields.ts';
import type { Values } from '../validate.ts';
import {
  type Change,
  type CreateChange,
  type FileReference,
  isLocalId,
  type UpdateChange,
} from '../outbox/vocabulary.ts';

/** A change as a request of the contract: always a POST, multipart if it has fields or files. */
export interface ChangeRequest {
  readonly path: string;
  readonly fields: readonly (readonly [name: string, value: string])[];
  readonly files: readonly (readonly [name: string, file: FileReference])[];
  /** The base version of the change, for servers that support versions. */
  readonly ifMatch?: string;
}

/** Turns a change into its request. Throws if the record has no server id yet, because such a change must not be sent. */
export function requestOf(change: Change): ChangeRequest {
  switch (change.op) {
    case 'create': {
      const resource = resourceOf(change.resource);
      return { path: resource.endpoints.create, ...bodyOf(resource, change) };
    }
    case 'update': {
      const resource = resourceOf(change.resource);
      const path = recordAddress(resource, serverId(change.recordId));
      return { path, ...bodyOf(resource, change), ...matching(change.base.version) };
    }
    case 'delete': {
      const path = `${resourceOf(change.resource).endpoints.delete}/${serverId(change.recordId)}`;
      return { path, fields: [], files: [], ...matching(change.base?.version) };
    }
    case 'delete-image':
      return { path: `/api/delete-image/${change.imageId}`, fields: [], files: [], ...matching(change.base?.version) };
    default:
      return change satisfies never;
  }
}

/** The texts of a change by their names in requests. */
export function fieldsOf(change: CreateChange | UpdateChange): Readonly<Record<string, string>> {
  const resource = resourceOf(change.resource);
  return Object.fromEntries(textsOf(resource, valuesIn(resource, change)));
}

/** Fills in missing fields of a create with empty values: a new record sends all its fields. */
function valuesIn({ fields }: AnyResource, { op, values }: CreateChange | UpdateChange): Values {
  if (op === 'update') return values;
  return { ...Object.fromEntries(fields.map(({ name }) => [name, ''])), ...values };
}

/** Includes all texts, but only new files: the server would refuse the name of a stored file. */
function bodyOf(resource: AnyResource, change: CreateChange | UpdateChange) {
  return {
    fields: textsOf(resource, valuesIn(resource, change)),
    files: change.files.map((file) => [nameOf(resource, file), file] as const),
  };
}

/** The texts of a change, without fields that its form did not know yet: the user has not emptied them. */
function textsOf({ fields }: Pick<Resource, 'fields'>, values: Values) {
  return fields.filter(isValue).flatMap((field) => {
    const text = values[field.name];
    return text === undefined ? [] : [[wireName(field), text] as const];
  });
}

function nameOf(resource: AnyResource, file: FileReference): string {
  const field = fieldOf(resource, file.field);
  return field === undefined ? file.field : wireName(field);
}

function serverId(recordId: string): string {
  if (isLocalId(recordId)) throw new Error('No server id.');
  return recordId;
}

function matching(version: string | undefined): { ifMatch?: string } {
  return version === undefined ? {} : { ifMatch: version };
}
