import type { OutboxEntry } from '../../domain/outbox/vocabulary.ts';

import { type ChangedValue, changedValues, fromDifference } from './changed-values.ts';
import { t } from '../../language/t.ts';

/** Further fields are only counted. */
const SHOWN = 3;

/** What an edit does to each field: "Capacity 30 kVA → 33 kVA". The tooltip holds the full text. */
export function WhatChanged({ entry }: { entry: OutboxEntry }) {
  const changed = changedValues(entry);
  if (changed.length === 0) return null;
  const more = changed.length - SHOWN;
  return (
    <ul className="changed" aria-label={t('What changed')}>
      {changed.slice(0, SHOWN).map((value) => (
        <ChangedLine key={value.field} value={value} />
      ))}
      {more > 0 && <li>{t('and {count, plural, one {# more field} other {# more fields}}', { count: more })}</li>}
    </ul>
  );
}

function ChangedLine({ value: { label, before, after } }: { value: ChangedValue }) {
  const [from, to] = fromDifference(before, after);
  return (
    <li title={`${label}: ${shown(before)} → ${shown(after)}`}>
      <span>{label}</span> <del>{shown(from)}</del> <span aria-hidden>→</span> <ins>{shown(to)}</ins>
    </li>
  );
}

function shown(text: string): string {
  return text === '' ? t('(empty)') : text;
}
