import type { Field, FieldOf } from '../../../src/domain/fields.ts';
import { attributeName, type FieldErrors, type Values, validate } from '../../../src/domain/validate.ts';
import { errorKeyOf, type Submitted } from '../../protocol/submitted.ts';
import { invalid } from '../../errors/refusal.ts';
import type { ReceivedFile } from '../../uploads/received.ts';
import type { WordFault } from '../../uploads/word-package.ts';
import { lookupValues } from './lookups.ts';
import type { Database, RecordRow } from './tables.ts';

interface Rules {
  /** The record that is changed. Undefined for a new one. */
  readonly stored: RecordRow | undefined;
  readonly maxFileBytes: number;
}

/** Validates a submission by the rules of the fields and the lookup lists. Throws 422 with the messages per field. */
export async function assertValid(
  db: Database,
  fields: readonly Field[],
  submitted: Submitted,
  { stored, maxFileBytes }: Rules,
): Promise<void> {
  const errors = {
    ...validate(fields, {
      values: submitted.values,
      files: submitted.files.map(({ field, type, size }) => ({ field, type: type ?? '', size })),
      lookups: await lookupsFor(db, fields, submitted.values, stored),
      creating: stored === undefined,
      maxFileBytes,
    }),
    ...Object.fromEntries(submitted.files.flatMap((file) => refusedWord(fields, submitted, file))),
    ...Object.fromEntries(submitted.textForFile.map((name) => [name, [notAFile(name)]])),
  } satisfies FieldErrors;
  if (Object.keys(errors).length > 0) throw invalid(errors);
}

async function lookupsFor(db: Database, fields: readonly Field[], values: Values, stored: RecordRow | undefined) {
  const lists = fields
    .filter((field) => field.kind === 'lookup')
    .map(async (field) => {
      const parent = field.dependsOn === undefined ? '' : (values[field.dependsOn] ?? '');
      const options = await lookupValues(db, field.lookup, parent);
      return [field.name, [...options, ...keptValues(field, values, stored)]] as const;
    });
  return Object.fromEntries(await Promise.all(lists));
}

/** The value that a record already has: it keeps one that was removed from its list, unless the list becomes another one. */
function keptValues({ name, dependsOn }: FieldOf<'lookup'>, values: Values, stored: RecordRow | undefined): string[] {
  const value = stored?.[name];
  const isSameList = dependsOn === undefined || stored?.[dependsOn] === values[dependsOn];
  return typeof value === 'string' && isSameList ? [value] : [];
}

/** What to say of a Word document that is refused for what it holds. Takes a word for the field. */
const WORD_FAULTS: Readonly<Record<WordFault, (what: string) => string>> = {
  runs: (what) =>
    `The ${what} contains macros, controls or embedded objects, which could run on other devices. Save it without them, or as PDF.`,
  template: (what) => `The ${what} loads its template from another place. Detach the template, or save it as PDF.`,
  unreadable: (what) => `The ${what} could not be looked through. Save it once more with Word, or as PDF.`,
  elsewhere: (what) =>
    `The ${what} loads a part of its content from another place. Break its links to other files, or save it as PDF.`,
};

function refusedWord(fields: readonly Field[], { files }: Submitted, file: ReceivedFile) {
  if (file.fault === undefined) return [];
  const key = errorKeyOf(fields, files, file);
  return [[key, [WORD_FAULTS[file.fault](attributeName(key))]] as const];
}

function notAFile(name: string): string {
  return `The ${attributeName(name)} must be a file.`;
}
