import { useMemo, useState } from 'react';
import { leadingQuantity } from '../../domain/quantities.ts';
import { fieldOf, type Resource, textOf } from '../../domain/resource.ts';
import { Button } from '../../ui/button.tsx';
import { formatNumber } from '../../ui/format.ts';
import { type FacetGroup, facetGroups, type FacetOption, toggled } from './facets.ts';
import type { Row, Sort } from './list-rules.ts';
import type { ListView } from './use-list-view.ts';
import './facet-panel.css';
import { say, t } from '../../language/t.ts';

interface FacetPanelProps {
  readonly resource: Resource;
  readonly rows: readonly Row[];
  readonly view: ListView;
}

/** How many values a facet shows before "more". */
const SHOWN = 8;

/** So many rows tell whether a field holds quantities. */
const SAMPLE = 20;

/** The filters and the sort order of a list. */
export default function FacetPanel({ resource, rows, view }: FacetPanelProps) {
  const groups = useMemo(() => facetGroups(resource, rows), [resource, rows]);
  const some = Object.keys(view.chosen).length > 0;
  return (
    <div className="facets">
      <SortSelect resource={resource} rows={rows} view={view} />
      {groups.map((group) => (
        <Group key={group.name} group={group} view={view} />
      ))}
      {some && (
        <Button variant="outlined" color="inherit" onClick={() => view.setChosen({})}>
          {t('Clear filters')}
        </Button>
      )}
    </div>
  );
}

function Group({ group: { name, label, options }, view }: { group: FacetGroup; view: ListView }) {
  /** The first value revealed by "more". It takes the focus, because the button is gone. */
  const [opened, setOpened] = useState<string>();
  const chosen = view.chosen[name] ?? [];
  const isShown = ({ value }: FacetOption, at: number) => at < SHOWN || chosen.includes(value);
  const shown = opened === undefined ? options.filter(isShown) : options;
  return (
    <fieldset>
      <legend>{label}</legend>
      {shown.map((option) => (
        <label key={option.value} className="facet">
          <input
            type="checkbox"
            ref={option.value === opened ? focusAtOnce : null}
            checked={chosen.includes(option.value)}
            onChange={() => view.setChosen(toggled(view.chosen, name, option.value))}
          />
          {option.label} <small>{formatNumber(option.count)}</small>
        </label>
      ))}
      {shown.length < options.length && (
        <button
          type="button"
          className="facet-more"
          onClick={() => setOpened(options.find((option, at) => !isShown(option, at))?.value)}
        >
          {t('{count} more', { count: options.length - shown.length })}
        </button>
      )}
    </fieldset>
  );
}

function focusAtOnce(box: HTMLInputElement | null): void {
  box?.focus();
}

function SortSelect({ resource, rows, view: { sort, setSort } }: FacetPanelProps) {
  const columns = resource.columns
    .filter((column) => column.kind === 'text')
    .map(({ field, label }) => ({ field, label }));
  const facts = resource.facts
    .filter((field) => rows[0]?.[field] !== undefined && !columns.some((column) => column.field === field))
    .map((field) => ({ field, label: fieldOf(resource, field)?.label ?? field }));
  const isCounted = (field: string) =>
    rows.slice(0, SAMPLE).some((row) => leadingQuantity(textOf(row[field])) !== undefined);
  const change = (text: string) => {
    const [field, direction] = text.split(' ');
    if (field === undefined || field === '') setSort(undefined);
    else setSort({ field, direction: direction === 'descending' ? 'descending' : 'ascending' });
  };
  return (
    <label className="facet-order">
      {t('Order')}
      <select className="control" value={keyOf(sort)} onChange={(event) => change(event.target.value)}>
        <option value="">{t('Default order')}</option>
        {[...columns, ...facts].flatMap(({ field, label }) => {
          const [up, down] = orderWords(say(label), fieldOf(resource, field)?.kind === 'integer' || isCounted(field));
          return [
            <option key={`${field} up`} value={`${field} ascending`}>
              {up}
            </option>,
            <option key={`${field} down`} value={`${field} descending`}>
              {down}
            </option>,
          ];
        })}
      </select>
    </label>
  );
}

/** Numbers and quantities go from low to high, words from A to Z. */
function orderWords(label: string, counted: boolean): readonly [string, string] {
  return counted
    ? [t('{label}, lowest first', { label }), t('{label}, highest first', { label })]
    : [t('{label}, A to Z', { label }), t('{label}, Z to A', { label })];
}

function keyOf(sort: Sort | undefined): string {
  return sort === undefined ? '' : `${sort.field} ${sort.direction}`;
}
