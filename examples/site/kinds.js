const brandAndModel = ({ brand, model }) => `${brand} ${model}`;

/** The kinds of product that the site shows: their words, facets and facts, by their names in the content API. */
export const PRODUCTS = {
  generators: {
    title: 'Generators',
    name: ({ brand, generatorModel }) => `${brand} ${generatorModel}`,
    facets: { brand: 'Brand', series: 'Series' },
    facts: {
      capacity: 'Capacity',
      engineModel: 'Engine',
      alternatorModel: 'Alternator',
      series: 'Series',
      origin: 'Origin',
    },
  },
  'solar-panels': {
    title: 'Solar panels',
    name: brandAndModel,
    facets: { brand: 'Brand', type: 'Type' },
    facts: { capacity: 'Capacity', type: 'Type' },
  },
  'grid-tie-inverters': {
    title: 'Grid tie inverters',
    name: brandAndModel,
    facets: { brand: 'Brand', type: 'Type' },
    facts: { capacity: 'Capacity', type: 'Type' },
  },
  ups: {
    title: 'UPS',
    name: brandAndModel,
    facets: { brand: 'Brand', type: 'Type' },
    facts: { capacity: 'Capacity', type: 'Type', origin: 'Origin' },
  },
  'street-lights': {
    title: 'Street lights',
    name: brandAndModel,
    facets: { brand: 'Brand' },
    facts: { capacity: 'Capacity', origin: 'Origin' },
  },
};
