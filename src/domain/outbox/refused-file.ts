import { INVALID } from '../messages.ts';
import { resourceOf } from '../resources/index.ts';
import { errorKey } from '../validate.ts';
import type { CreateChange, FileReference, Reason, UpdateChange } from './vocabulary.ts';

/**
 * The refusal of a change after the server rejected one of its staged files, reported at the file's field. `fileLimit` is the
 * server's largest file in bytes. `refusalErrors` adds the change's other problems where the refusal is shown.
 */
export function refusedByFile(
  { resource, files }: CreateChange | UpdateChange,
  file: FileReference,
  reason: Reason,
  fileLimit: number,
): Reason {
  const { fields } = resourceOf(resource);
  const index = files.filter((one) => one.field === file.field).findIndex(({ id }) => id === file.id);
  const field = fields.find(({ name }) => name === file.field);
  const key = field === undefined ? file.field : errorKey(field, index);
  return { ...reason, message: INVALID, errors: { [key]: [reason.message] }, fileLimit };
}
