import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fieldOf } from '../../src/domain/resource.ts';
import { resourceOf } from '../../src/domain/resources/index.ts';
import { valueWords } from '../../src/fields/value-words.ts';
import { catalogue as german } from '../../src/language/de.ts';
import { speak } from '../../src/language/t.ts';
import { facetGroups, optionLabel } from '../../src/resource/list/facets.ts';
import { factsLine, factsOf } from '../../src/resource/list/facts.ts';
import { indexRows, visibleRows } from '../../src/resource/list/list-rules.ts';

const inverters = resourceOf('grid-tie-inverters');
const rows = [
  { recordId: '1', brand: 'Delta', type: 'Three Phase', capacity: '20 kW' },
  { recordId: '2', brand: 'Single Phase', type: 'Single Phase', capacity: '5 kW' },
];
const idsOf = (query: string, field?: string) => {
  const sort = field === undefined ? undefined : ({ field, direction: 'ascending' } as const);
  return visibleRows(indexRows(inverters, rows), { query, chosen: {}, sort }).map(({ recordId }) => recordId);
};

afterEach(() => speak(undefined));

it('shows the stored value in English', () => {
  expect(valueWords(fieldOf(inverters, 'type'), 'Three Phase')).toBe('Three Phase');
});

describe('German', () => {
  beforeEach(() => speak(german));

  it('translates a choice, but not a text that happens to be equal', () => {
    expect(valueWords(fieldOf(inverters, 'type'), 'Three Phase')).toBe('Dreiphasig');
    expect(valueWords(fieldOf(resourceOf('ups'), 'type'), 'Three Phase')).toBe('Dreiphasig');
    expect(valueWords(fieldOf(inverters, 'model'), 'Three Phase')).toBe('Three Phase');
    expect(valueWords(fieldOf(inverters, 'type'), 'Four Phase')).toBe('Four Phase');
  });

  it('translates it in the facts of a row and in a facet, whose value stays as stored', () => {
    const facts = factsOf(inverters, rows, 4);
    expect(rows.map((row) => factsLine(facts, row))).toEqual(['20 kW · Dreiphasig', '5 kW · Einphasig']);
    const type = facetGroups(inverters, rows).find(({ name }) => name === 'type');
    expect(type?.options.map(({ value, label }) => [value, label])).toEqual([
      ['Three Phase', 'Dreiphasig'],
      ['Single Phase', 'Einphasig'],
    ]);
    expect(optionLabel(resourceOf('solar-panels'), 'brand', 'Single Phase')).toBe('Single Phase');
  });

  it('finds by the word shown and by the one stored, and sorts by the one shown', () => {
    expect(idsOf('dreiphasig')).toEqual(['1']);
    expect(idsOf('three phase')).toEqual(['1']);
    expect(idsOf('', 'type')).toEqual(['1', '2']);
  });
});
