import type { Resource } from '../../domain/resource.ts';
import { facetLabel, optionLabel, toggled } from './facets.ts';
import type { ListView } from './use-list-view.ts';
import { t } from '../../language/t.ts';

const CROSS = 'M6.4 5 5 6.4 10.6 12 5 17.6 6.4 19l5.6-5.6 5.6 5.6 1.4-1.4-5.6-5.6L19 6.4 17.6 5 12 10.6 6.4 5Z';

/** The active filters, each with a button to remove it. */
export function ChosenFacets({ resource, view }: { resource: Resource; view: ListView }) {
  const chips = Object.entries(view.chosen).flatMap(([name, values]) => values.map((value) => ({ name, value })));
  if (chips.length === 0) return null;
  return (
    <ul className="chosen" aria-label={t('Filters')}>
      {chips.map(({ name, value }) => (
        <li key={`${name} ${value}`}>
          <button
            type="button"
            aria-label={t('Remove {facet}: {option}', {
              facet: facetLabel(resource, name),
              option: optionLabel(resource, name, value),
            })}
            onClick={() => view.setChosen(toggled(view.chosen, name, value))}
          >
            {facetLabel(resource, name)}: <strong>{optionLabel(resource, name, value)}</strong>
            <svg viewBox="0 0 24 24" aria-hidden="true">
              <path d={CROSS} />
            </svg>
          </button>
        </li>
      ))}
    </ul>
  );
}
