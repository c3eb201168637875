import { resourceOf } from '../resources/index.ts';
import { type FieldErrors, validate } from '../validate.ts';
import type { OutboxEntry } from './vocabulary.ts';

/**
 * The errors of a refused change by field. A server that refused a staged file has not seen the rest of its change: these
 * are then all that the shared rules would refuse, so that the user learns of every problem at once. Only the page asks,
 * because the rules are too large for the worker.
 */
export function refusalErrors({ change, reason }: Pick<OutboxEntry, 'change' | 'reason'>): FieldErrors {
  const { errors = {}, fileLimit } = reason ?? {};
  if (fileLimit === undefined || (change.op !== 'create' && change.op !== 'update')) return errors;
  const { op, resource, values, files } = change;
  const { fields } = resourceOf(resource);
  return { ...errors, ...validate(fields, { values, files, creating: op === 'create', maxFileBytes: fileLimit }) };
}
