import type { PendingRow } from '../../domain/outbox/optimistic-view.ts';
import { fieldOf, type Resource, textOf } from '../../domain/resource.ts';
import { locale, say, t } from '../../language/t.ts';
import { useSettings } from '../../stores/settings.ts';
import { cellWords } from './cell-words.ts';
import { markOf } from './marks.ts';
import './print-list.css';

/** What a list shows: its rows in their order, of how many in all. */
export interface PrintedList {
  readonly resource: Resource;
  readonly rows: readonly PendingRow[];
  readonly total: number;
}

/**
 * Prints every row of a list as a table. On screen, a long list has only the rows in sight. Follows the browser's own print
 * command; `list` is asked when it comes. Returns a function that stops following.
 */
export function followPrinting(list: () => PrintedList): () => void {
  let sheet: HTMLElement | undefined;
  const put = () => {
    sheet?.remove();
    // a dialog in front is printed by itself
    if (document.querySelector('[role="dialog"]') !== null) return;
    sheet = sheetOf(list());
    document.body.append(sheet);
  };
  const remove = () => {
    sheet?.remove();
    sheet = undefined;
  };
  window.addEventListener('beforeprint', put);
  window.addEventListener('afterprint', remove);
  return () => {
    remove();
    window.removeEventListener('beforeprint', put);
    window.removeEventListener('afterprint', remove);
  };
}

function sheetOf({ resource, rows, total }: PrintedList): HTMLElement {
  const columns = columnsOf(resource, rows);
  const sheet = element('section', '', 'print-sheet');
  const heading = element('h1', say(resource.label.many));
  const note = element(
    'p',
    [countWords(rows.length, total), moment(), useSettings.getState().companyLabel].join(' · '),
  );
  const table = element('table');
  const head = element('thead');
  head.append(rowOf('th', [t('Sl'), ...columns.map(({ label }) => label)]));
  const body = element('tbody');
  body.append(...rows.map((row, place) => rowOf('td', [String(place + 1), ...columns.map(({ words }) => words(row))])));
  table.append(head, body);
  sheet.append(heading, note, table);
  return sheet;
}

interface PrintedColumn {
  readonly label: string;
  readonly words: (row: PendingRow) => string;
}

/** The text columns and facts of the list, without those that are empty throughout, and what waits where something does. */
function columnsOf(resource: Resource, rows: readonly PendingRow[]): readonly PrintedColumn[] {
  const texts = resource.columns.filter(({ kind }) => kind === 'text');
  const facts = resource.facts.filter((name) => texts.every(({ field }) => field !== name));
  const labelled = [
    ...texts.map(({ field, label }) => ({ field, label })),
    ...facts.map((field) => ({ field, label: fieldOf(resource, field)?.label ?? field })),
  ];
  const columns = labelled.map(({ field, label }) => {
    const definition = fieldOf(resource, field);
    return { label: say(label), words: (row: PendingRow) => cellWords(definition, textOf(row[field])) };
  });
  const waiting = { label: t('Waiting to be sent'), words: (row: PendingRow) => markOf(row)?.words ?? '' };
  return [...columns, waiting].filter(({ words }) => rows.some((row) => words(row) !== ''));
}

function countWords(shown: number, total: number): string {
  if (shown < total) return t('{number} of {count}', { number: shown, count: total });
  return t('{count, plural, one {# record} other {# records}}', { count: total });
}

function moment(): string {
  return new Date().toLocaleString(locale(), { dateStyle: 'long', timeStyle: 'short' });
}

function rowOf(cell: 'th' | 'td', texts: readonly string[]): HTMLElement {
  const row = element('tr');
  row.append(...texts.map((text) => element(cell, text)));
  return row;
}

function element(tag: string, text = '', className = ''): HTMLElement {
  const made = document.createElement(tag);
  if (text !== '') made.textContent = text;
  if (className !== '') made.className = className;
  return made;
}
