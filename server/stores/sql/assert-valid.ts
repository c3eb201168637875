import type { Field } from '../../../src/domain/fields.ts';
import { attributeName, type FieldErrors, type Values, validate } from '../../../src/domain/validate.ts';
import type { Submitted } from '../../protocol/submitted.ts';
import { invalid } from '../../refusal.ts';
import { lookupValues } from './lookups.ts';
import type { Database } from './tables.ts';

/** Validates a submission by the rules of the fields and the lookup lists. Throws 422 with the messages per field. */
export async function assertValid(
  db: Database,
  fields: readonly Field[],
  submitted: Submitted,
  rules: { readonly creating: boolean; readonly maxFileBytes: number },
): Promise<void> {
  const errors = {
    ...validate(fields, {
      values: submitted.values,
      files: submitted.files.map(({ field, type, size }) => ({ field, type: type ?? '', size })),
      lookups: await lookupsFor(db, fields, submitted.values),
      ...rules,
    }),
    ...Object.fromEntries(submitted.textForFile.map((name) => [name, [notAFile(name)]])),
  } satisfies FieldErrors;
  if (Object.keys(errors).length > 0) throw invalid(errors);
}

async function lookupsFor(db: Database, fields: readonly Field[], values: Values) {
  const lists = fields
    .filter((field) => field.kind === 'lookup')
    .map(async (field) => {
      const parent = field.dependsOn === undefined ? '' : (values[field.dependsOn] ?? '');
      return [field.name, await lookupValues(db, field.lookup, parent)] as const;
    });
  return Object.fromEntries(await Promise.all(lists));
}

function notAFile(name: string): string {
  return `The ${attributeName(name)} must be a file.`;
}
