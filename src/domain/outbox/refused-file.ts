import { type Field, isAttachment, isManyFiles } from '../fields.ts';
import { resourceOf } from '../resources/index.ts';
import { validate } from '../validate.ts';
import type { CreateChange, FileReference, Reason, UpdateChange } from './vocabulary.ts';

/** Said above the texts of the fields, as a server says it that has looked at the whole change. */
const INVALID = 'The given data was invalid.';

/**
 * Why a change is refused one of whose files the server has not taken ahead of it: that file, at its field, and whatever the server
 * would refuse besides by the rules that both share, so that nobody puts one thing right only to learn of the next.
 * `maxFileBytes` is the server's limit.
 */
export function refusedByFile(
  change: CreateChange | UpdateChange,
  file: FileReference,
  reason: Reason,
  maxFileBytes: number,
): Reason {
  const { op, values, files, resource } = change;
  const { fields } = resourceOf(resource);
  const others = validate(fields, { values, files, creating: op === 'create', maxFileBytes });
  return { ...reason, message: INVALID, errors: { [placeOf(fields, files, file)]: [reason.message], ...others } };
}

/** As errors name a file: `catalog`, `images.1`. */
function placeOf(fields: readonly Field[], files: readonly FileReference[], file: FileReference): string {
  const field = fields.find(({ name }) => name === file.field);
  if (field === undefined || !isAttachment(field) || !isManyFiles(field)) return file.field;
  const index = files.filter((one) => one.field === file.field).findIndex(({ id }) => id === file.id);
  return `${file.field}.${index}`;
}
