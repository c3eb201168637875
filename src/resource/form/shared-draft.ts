import type { FormDraft } from '../../api/drafts.ts';
import { type FormContent, typedFields } from './content.ts';

/**
 * A record has one draft for all tabs. It holds, field by field, what was typed last. A form writes only what was typed into it,
 * and takes only that out again, so that no tab overwrites or removes the text of another.
 */

type Draft = Omit<FormDraft, 'savedAt'>;

/** The part of a record's draft that one open form has written. */
export interface OwnPart {
  /** The content with which the form began to write. */
  readonly begun?: FormContent;
  /** Names of the fields typed into, also those that were reverted. */
  readonly fields: ReadonlySet<string>;
  /** Keys of the files picked or removed. */
  readonly files: ReadonlySet<string>;
}

export const NOTHING_OWN: OwnPart = { fields: new Set(), files: new Set() };

/** Extends the part with what the form holds now. */
export function extended({ begun, fields, files }: OwnPart, now: FormContent): OwnPart {
  const before = begun ?? now;
  const typed = Object.keys(now.values).filter((name) => now.values[name] !== before.values[name]);
  const keys = (content: FormContent) => content.files.map(({ key }) => key);
  const moved = [...keys(now), ...keys(before)].filter((key) => keys(now).includes(key) !== keys(before).includes(key));
  return { begun: before, fields: new Set([...fields, ...typed]), files: new Set([...files, ...moved]) };
}

/** The draft to store for a form: its own part, and what other tabs have typed. */
export function joinedDraft(stored: FormDraft | undefined, mine: Draft, own: OwnPart): Draft {
  const others = stored && withoutPart(stored, own, undefined);
  if (others?.base === undefined || mine.base === undefined) return mine;
  const { base } = others;
  const names = typedFields(others);
  const texts = (values: FormDraft['values']) => Object.fromEntries(names.map((name) => [name, values[name] ?? '']));
  const { version, ...rest } = mine.base;
  const keys = new Set(mine.files.map(({ key }) => key));
  return {
    ...mine,
    values: { ...mine.values, ...texts(others.values) },
    files: [...mine.files, ...others.files.filter(({ key }) => !keys.has(key))],
    // typed on different versions: together they are on none
    base: {
      ...rest,
      values: { ...rest.values, ...texts(base.values) },
      ...(version === base.version && version !== undefined && { version }),
    },
  };
}

/**
 * The draft without a form's part, once that is saved or discarded. `now` is the form's content: the same text in the draft is also
 * the form's. Undefined if nothing remains.
 */
export function withoutPart(stored: FormDraft, own: OwnPart, now: FormContent | undefined): FormDraft | undefined {
  const { base } = stored;
  if (base === undefined) return undefined;
  const held = new Set(now?.files.map(({ key }) => key));
  const isOwn = (name: string) =>
    own.fields.has(name) || (now !== undefined && now.values[name] === stored.values[name]);
  const names = typedFields(stored);
  const values = Object.fromEntries(
    Object.entries(stored.values).map(([name, text]) => [
      name,
      names.includes(name) && isOwn(name) ? (base.values[name] ?? '') : text,
    ]),
  );
  const left = { ...stored, values, files: stored.files.filter(({ key }) => !own.files.has(key) && !held.has(key)) };
  return typedFields(left).length === 0 && left.files.length === 0 ? undefined : left;
}
