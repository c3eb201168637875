import { describe, expect, it } from 'vitest';
import { MOST_FINDS, recordFinds, screenFinds, search } from '../../src/app/find/finds.ts';
import { catalogue as german } from '../../src/language/de.ts';
import { speak } from '../../src/language/t.ts';
import { routesOf } from '../../src/domain/resource.ts';
import { RESOURCES, resourceOf } from '../../src/domain/resources/index.ts';

const generators = recordFinds(resourceOf('generators'), [
  { id: 1, brand: 'Perkins', generator_model: 'P45E' },
  { id: 2, brand: 'Cummins', generator_model: 'C45 D5' },
  { recordId: 'local-1', brand: 'Perkins', generator_model: 'P150P' },
]);
const all = [...screenFinds({ mayEdit: true, own: true, manages: true }), ...generators];
const labels = (query: string) => search(all, query).map(({ label }) => label);

describe('finding', () => {
  it('finds a record by anything in its row', () => {
    const [find] = recordFinds(resourceOf('generators'), [
      {
        id: 3,
        brand: 'Perkins',
        generator_model: 'P9',
        origin: 'Norway',
        engine_model: '403A',
        alternator_model: 'S0L1',
      },
    ]);
    for (const text of ['norway', '403a', 's0l1'])
      expect(search(find === undefined ? [] : [find], text)).toHaveLength(1);
  });

  it('finds a record by some letters of several words', () => {
    expect(labels('perk 45')).toEqual(['Perkins P45E']);
  });

  it('links to the record, even one that the server does not know yet', () => {
    expect(search(all, 'p150p')[0]?.to).toBe('/generator-edit/local-1');
    expect(search(all, 'c45')[0]?.to).toBe('/generator-edit/2');
  });

  it('ranks words that start with the query before words that contain it', () => {
    expect(labels('45')).toEqual(['Perkins P45E', 'Cummins C45 D5']);
    expect(labels('c45').concat(labels('outb'))).toEqual(['Cummins C45 D5', 'Outbox']);
  });

  it('finds screens by the names of the sidebar', () => {
    expect(labels('all slid')[0]).toBe('All Slider');
    expect(labels('new ups')).toEqual(['New Ups']);
    expect(search(all, 'site meta')[0]?.to).toBe('/sete-meta-update');
  });

  it('finds a record by its kind and name together', () => {
    expect(labels('generator cummins')).toEqual(['Cummins C45 D5']);
  });

  it('limits ten thousand matches to a handful', () => {
    const rows = Array.from({ length: 10_000 }, (_, id) => ({ id, brand: 'Perkins', generator_model: `P${id}` }));
    const many = recordFinds(resourceOf('generators'), rows);
    expect(search(many, 'perkins')).toHaveLength(MOST_FINDS);
    expect(search(many, 'p9999').map(({ label }) => label)).toEqual(['Perkins P9999']);
  });

  it('ranks a name that starts with the query first, even after forty that contain it', () => {
    const rows = Array.from({ length: 60 }, (_, id) => ({ id, brand: 'Perkins', generator_model: `P${id}45E` }));
    const many = recordFinds(resourceOf('generators'), [...rows, { id: 99, brand: '45E', generator_model: 'A' }]);
    const found = search(many, '45e').map(({ to }) => to);
    expect([found.length, found[0]]).toEqual([MOST_FINDS, '/generator-edit/99']);
  });

  it('ranks a word that starts with the query before one that contains it, whatever the list order', () => {
    const two = recordFinds(resourceOf('generators'), [
      { id: 1, brand: 'Cummins', generator_model: 'X45' },
      { id: 2, brand: 'Perkins', generator_model: '45E' },
    ]);
    expect(search(two, '45').map(({ to }) => to)).toEqual(['/generator-edit/2', '/generator-edit/1']);
  });

  it('ranks a name that starts with the whole query before one that starts with its first word', () => {
    const two = recordFinds(resourceOf('generators'), [
      { id: 1, brand: 'Perkins', generator_model: 'X P45' },
      { id: 2, brand: 'Perkins', generator_model: 'P45E' },
    ]);
    expect(search(two, 'perkins p45').map(({ to }) => to)).toEqual(['/generator-edit/2', '/generator-edit/1']);
  });

  it('ranks a name that starts with the query first, even after forty with such a word', () => {
    const rows = Array.from({ length: 60 }, (_, id) => ({ id, brand: 'Perkins', generator_model: `45E ${id}` }));
    const many = recordFinds(resourceOf('generators'), [...rows, { id: 99, brand: '45E', generator_model: 'A' }]);
    expect(search(many, '45e')[0]?.to).toBe('/generator-edit/99');
  });

  it('ignores case', () => {
    expect(labels('PERKINS p45e')).toEqual(['Perkins P45E']);
  });

  it('finds nothing when nothing matches', () => {
    expect(labels('zebra')).toEqual([]);
  });
});

describe('search words and facts', () => {
  it.each([
    ['add generator', 'New Generator'],
    ['gti', 'All Grid Tie Inverter'],
    ['queue', 'Outbox'],
  ])('“%s” finds %s', (words, label) => {
    expect(search(screenFinds({ mayEdit: true, own: true, manages: true }), words)[0]?.label).toBe(label);
  });

  it('shows at most two facts beside a name, skipping empty ones', () => {
    const facts = (row: object) => recordFinds(resourceOf('generators'), [{ id: 1, brand: 'P', ...row }])[0]?.facts;
    expect(facts({ capacity: '20 kVA', series: 'Perkins', origin: 'UK' })).toBe('20 kVA · Perkins');
    expect(facts({ capacity: '20 kVA', series: '', origin: 'UK' })).toBe('20 kVA · UK');
  });

  it('finds a record by a fact, and shows the facts beside its name', () => {
    const [found] = recordFinds(resourceOf('street-lights'), [
      { id: 4, brand: 'Osram', model: 'SL 20', capacity: '20 W', origin: 'China' },
    ]);
    expect(found).toMatchObject({ label: 'Osram SL 20', facts: '20 W · China', resource: 'street-lights' });
    expect(search(found === undefined ? [] : [found], 'china')).toHaveLength(1);
  });
});

it('records and their forms are found in German', () => {
  speak(german);
  try {
    const [record] = recordFinds(resourceOf('grid-tie-inverters'), [{ id: 1, brand: 'ABB', type: 'Single Phase' }]);
    expect(record?.facts).toBe('Einphasig');
    expect(search(record === undefined ? [] : [record], 'einphasig')).toHaveLength(1);
    for (const query of ['generator hinzufügen', 'neuer generator', 'neues netz', 'generator erstellen', 'neue ups']) {
      const [found] = search(screenFinds({ mayEdit: true, own: true, manages: true }), query);
      expect(found?.to, query).toMatch(/-create$/);
    }
  } finally {
    speak(undefined);
  }
});

it('offers a viewer every list, but no form for a new record', () => {
  const places = (mayEdit: boolean) =>
    screenFinds({ mayEdit, own: true, manages: false }).filter(({ to }) => to?.endsWith('-create') === true);
  expect(places(true)).not.toEqual([]);
  expect(places(false)).toEqual([]);
});

it('offers People, Backups and Health to managers, and Sessions and Security to accounts of the server', () => {
  const places = (own: boolean, manages: boolean) =>
    screenFinds({ mayEdit: true, own, manages })
      .map(({ to }) => to)
      .filter((to) => /^\/(people|backups|health|sessions|security)$/.test(to ?? ''));
  expect(places(false, false)).toEqual([]);
  expect(places(true, false)).toEqual(['/sessions', '/security']);
  expect(places(true, true)).toEqual(['/sessions', '/security', '/people', '/backups', '/health']);
});

it('each result says what it is: a page, a list, or a form for a new record', () => {
  const screens = screenFinds({ mayEdit: true, own: false, manages: false });
  const kindOf = (address: string) => screens.find(({ to }) => to === address)?.kind;
  expect(['/', '/ups-all', '/ups-create'].map(kindOf)).toEqual(['Page', 'List', 'Create']);
  expect(screens.filter(({ resource }) => resource === 'ups').map(({ to }) => to)).toEqual(['/ups-all', '/ups-create']);
});

it.each(RESOURCES.map((resource) => [resource.label.noun.one, resource] as const))(
  '“add %s” finds its form',
  (noun, resource) => {
    const finds = screenFinds({ mayEdit: true, own: true, manages: true });
    expect(search(finds, `add ${noun}`).map(({ to }) => to)).toContain(routesOf(resource).create);
  },
);
