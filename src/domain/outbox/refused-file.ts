import { INVALID } from '../messages.ts';
import { resourceOf } from '../resources/index.ts';
import { errorKey, validate } from '../validate.ts';
import type { CreateChange, FileReference, Reason, UpdateChange } from './vocabulary.ts';

/**
 * The refusal of a change after the server rejected one of its staged files. Reports the file at its field, plus
 * everything else that the shared rules would refuse, so that the user learns of all problems at once. `maxFileBytes` is
 * the server's limit.
 */
export function refusedByFile(
  change: CreateChange | UpdateChange,
  file: FileReference,
  reason: Reason,
  maxFileBytes: number,
): Reason {
  const { op, values, files, resource } = change;
  const { fields } = resourceOf(resource);
  const index = files.filter((one) => one.field === file.field).findIndex(({ id }) => id === file.id);
  const field = fields.find(({ name }) => name === file.field);
  const key = field === undefined ? file.field : errorKey(field, index);
  const others = validate(fields, { values, files, creating: op === 'create', maxFileBytes });
  return { ...reason, message: INVALID, errors: { [key]: [reason.message], ...others } };
}
