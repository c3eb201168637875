import type { ReactNode } from 'react';
import type { RecordId } from '../../domain/outbox/vocabulary.ts';
import { type Resource, routesOf } from '../../domain/resource.ts';
import type { Values } from '../../domain/validate.ts';
import { Link } from '../../ui/link.tsx';
import { type KnownRecord, twinOf } from './known-values.ts';
import type { FormSession } from './session.ts';
import type { OpenForm } from './use-save.ts';
import { t } from '../../language/t.ts';

/** A note under the last title field: a record of this name already exists. */
export function twinNote(
  resource: Resource,
  records: readonly KnownRecord[],
  { now }: FormSession,
  recordId: RecordId | undefined,
): Readonly<Record<string, ReactNode>> {
  const twin = twinOf(resource, records, now.values, recordId);
  const last = resource.title.at(-1);
  if (twin === undefined || last === undefined) return {};
  return {
    [last]: (
      <span className="field-twin">
        {t('Already exists:')} <Link to={routesOf(resource).edit(twin.id)}>{twin.title}</Link>
      </span>
    ),
  };
}

/** A note under each field that holds a value of an earlier version, until another one is typed. */
export function restoredNotes(restored: Values, { now }: FormSession): Readonly<Record<string, ReactNode>> {
  const names = Object.keys(restored).filter((name) => now.values[name] === restored[name]);
  return Object.fromEntries(names.map((name) => [name, <output key={name}>{t('From the earlier version')}</output>]));
}

/** A note under each field whose file someone else has replaced, with who that was if `authors` knows. */
export function theirFileNotes(names: readonly string[], authors: Values = {}): Readonly<Record<string, ReactNode>> {
  const words = (author: string | undefined) =>
    author === undefined ? t('Replaced by someone else') : t('Replaced by {name}', { name: author });
  return Object.fromEntries(names.map((name) => [name, <output key={name}>{words(authors[name])}</output>]));
}

/**
 * A note under each field that someone else has changed, with their value, and who that was if `authors` knows. The typed
 * value stays until the user takes theirs.
 */
export function theirNotes(
  { dispatch }: OpenForm,
  theirs: Values,
  authors: Values = {},
): Readonly<Record<string, ReactNode>> {
  const noteOf = (name: string, value: string) => (
    <output className="field-theirs">
      <span title={value}>{theirWords(value, authors[name])}</span>
      <button
        type="button"
        onClick={({ currentTarget }) => {
          // The note goes with this button.
          currentTarget.closest('.field')?.querySelector<HTMLElement>('.control')?.focus();
          dispatch({ type: 'typed', name, value });
        }}
      >
        {t('Use this')}
      </button>
    </output>
  );
  return Object.fromEntries(Object.entries(theirs).map(([name, value]) => [name, noteOf(name, value)]));
}

function theirWords(value: string, name: string | undefined): string {
  if (value === '') return name === undefined ? t('Emptied by someone else') : t('Emptied by {name}', { name });
  return name === undefined ? t('Someone else: “{value}”', { value }) : t('{name}: “{value}”', { name, value });
}
