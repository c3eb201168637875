import { describe, expect, it } from 'vitest';
import { isAttachment, isValue, wireName } from '../../src/domain/fields.ts';
import { localId } from '../../src/domain/outbox/vocabulary.ts';
import { fieldOf, routesOf, screenOf, titleOf, uploadAddress } from '../../src/domain/resource.ts';
import { RESOURCES, resourceOf } from '../../src/domain/resources/index.ts';
import { siteMeta } from '../../src/domain/resources/site-meta.ts';

describe.each(RESOURCES.map((resource) => [resource.name, resource] as const))(
  'the definition of %s',
  (_name, resource) => {
    it('is data: a structured clone equals it', () => {
      expect(structuredClone(resource)).toEqual(resource);
    });

    it('names each field once, and wire names differ too', () => {
      const names = resource.fields.map((field) => field.name);
      expect(new Set(names).size).toBe(names.length);
      expect(new Set(resource.fields.map(wireName)).size).toBe(names.length);
    });

    it('uses text fields of its own as facts, facets and order', () => {
      const texts = resource.fields.filter(isValue).map(({ name }) => name);
      const order = resource.orderedBy === undefined ? [] : [resource.orderedBy];
      expect(texts).toEqual(expect.arrayContaining([...resource.facts, ...resource.facets, ...order]));
    });

    it('shows only columns of its own fields, and images as images', () => {
      for (const column of resource.columns) {
        const field = fieldOf(resource, column.field);
        expect(field?.kind === 'image').toBe(column.kind === 'image');
        expect(field).toBeDefined();
      }
    });

    it('takes its title from text fields that its list rows carry', () => {
      const columns = resource.columns.map((column) => column.field);
      for (const name of resource.title) expect(columns).toContain(name);
    });

    it('puts a dependent lookup after the choice it depends on', () => {
      const misplaced = resource.fields.filter((field, index) => {
        if (field.kind !== 'lookup' || field.dependsOn === undefined) return false;
        return !resource.fields.slice(0, index).some(({ kind, name }) => kind === 'choice' && name === field.dependsOn);
      });
      expect(misplaced).toEqual([]);
    });
  },
);

describe('the specification', () => {
  it('has the routes of section 2', () => {
    const routes = RESOURCES.map((resource) => {
      const { create, list, edit } = routesOf(resource);
      return [create, list, edit('{id}')];
    });
    expect(routes).toEqual([
      ['/slider-create', '/slider-all', '/slider-edit/{id}'],
      ['/project-create', '/project-all', '/project-edit/{id}'],
      ['/generator-create', '/generator-all', '/generator-edit/{id}'],
      ['/sp-create', '/sp-all', '/sp-edit/{id}'],
      ['/gti-create', '/gti-all', '/gti-edit/{id}'],
      ['/ups-create', '/ups-all', '/ups-edit/{id}'],
      ['/st-create', '/st-all', '/st-edit/{id}'],
      ['/partner-create', '/partner-all', '/partner-edit/{id}'],
      ['/cert-create', '/cert-all', '/cert-edit/{id}'],
      ['/about-create', '/about-all', '/about-edit/{id}'],
    ]);
    expect(screenOf(siteMeta, siteMeta.only)).toBe('/sete-meta-update');
  });

  it('has the sidebar groups, in order', () => {
    expect(RESOURCES.map((resource) => resource.label.many)).toEqual([
      'Sliders',
      'Projects',
      'Generators',
      'Solar Panels',
      'Grid Tie Inverter',
      'Ups',
      'Street Light',
      'Partners',
      'Certifications',
      'About Us Sliders',
    ]);
    expect(resourceOf('sliders').label.list).toBe('All Slider');
    expect(resourceOf('about-items').label.list).toBe('All About Us Sliders');
  });

  it('has the fields of section 7 under their wire names', () => {
    const wire = Object.fromEntries(
      RESOURCES.map((resource) => [resource.name, resource.fields.map(wireName).join(' ')]),
    );
    expect(wire).toEqual({
      generators: 'brand capacity generator_model engine_model alternator_model origin series catalog images[]',
      'solar-panels': 'brand capacity model type catalog images[]',
      'grid-tie-inverters': 'type brand capacity model catalog images[]',
      'street-lights': 'brand capacity model origin catalog images[]',
      ups: 'brand capacity model origin type catalog images[]',
      partners: 'name link image',
      'about-items': 'name image',
      certifications: 'category name image',
      sliders: 'text serial image',
      projects: 'client_name type capacity project_name description image images[]',
    });
    expect(siteMeta.fields.map(wireName)).toEqual(['title', 'phone', 'email', 'address', 'fb', 'tw', 'li', 'metaTag']);
  });

  it('has the endpoints of section 7', () => {
    const calls = Object.fromEntries(
      RESOURCES.map(({ name, endpoints }) => [name, Object.values(endpoints).join(' ')]),
    );
    const prefix = (name: string, plural = `${name}s`) =>
      `/api/create-${name} /api/get-${plural} /api/get-single-${name} /api/delete-${name}`;
    expect(calls).toEqual({
      generators: prefix('generator'),
      'solar-panels': prefix('sp'),
      'grid-tie-inverters': prefix('gti'),
      'street-lights': prefix('st'),
      ups: prefix('ups', 'upss'),
      partners: prefix('partner'),
      'about-items': prefix('about'),
      certifications: prefix('cert'),
      sliders: prefix('slider'),
      projects: prefix('project'),
    });
    expect(RESOURCES.filter((resource) => resource.paged).map((resource) => resource.name)).toEqual(['projects']);
  });

  it('uses the column headings of section 4', () => {
    const heads = RESOURCES.map(({ name, columns }) => `${name}: ${columns.map(({ label }) => label).join(', ')}`);
    expect(heads).toEqual([
      'sliders: Image, Text',
      'projects: Client Image, Project name',
      'generators: Brand, Model',
      'solar-panels: Brand, Model',
      'grid-tie-inverters: Brand, Model',
      'ups: Brand, Model',
      'street-lights: Brand, Model',
      'partners: Name, Image',
      'certifications: Category, Name, Image',
      'about-items: Name, Image',
    ]);
  });

  it('requires every field except a project’s capacity, a partner’s link and optional site settings', () => {
    const optional = [...RESOURCES, siteMeta].flatMap(({ name, fields }) =>
      fields.filter(({ required }) => !required).map((field) => `${name}: ${field.name}`),
    );
    expect(optional).toEqual([
      'projects: capacity',
      'partners: link',
      'site-meta: fb',
      'site-meta: tw',
      'site-meta: li',
      'site-meta: metaTag',
    ]);
  });

  it('offers the choices of section 7, spelled as the public site reads them', () => {
    const choices = RESOURCES.flatMap(({ name, fields }) =>
      fields.flatMap((field) => (field.kind === 'choice' ? [[name, field.name, ...field.options]] : [])),
    );
    expect(choices).toEqual([
      ['projects', 'type', 'Generator', 'Rooftop Solor Panel'],
      ['solar-panels', 'type', 'Monocrystalline', 'Polycrystalline'],
      ['grid-tie-inverters', 'type', 'Single Phase', 'Three Phase'],
      ['certifications', 'category', 'Solar Panels', 'Generators', 'Grid Tie Inverters', 'Online UPS', 'Street Light'],
    ]);
  });

  it('labels each field with the words of its name, with these exceptions', () => {
    const plain = (name: string) => `${name.charAt(0).toUpperCase()}${name.slice(1).replaceAll('_', ' ')}`;
    const others = [...RESOURCES, siteMeta].flatMap(({ name, fields }) =>
      fields.filter((field) => field.label !== plain(field.name)).map((field) => `${name}: ${field.label}`),
    );
    expect(others).toEqual([
      'projects: Client logo',
      'projects: Project images',
      'site-meta: Facebook',
      'site-meta: Twitter',
      'site-meta: Linkedin',
      'site-meta: Meta tag',
    ]);
  });

  it('shows images 100 px wide, 300 px for sliders', () => {
    const widths = RESOURCES.flatMap((resource) =>
      resource.columns.flatMap((column) => (column.kind === 'image' ? [[resource.name, column.width]] : [])),
    );
    expect(widths).toEqual([
      ['sliders', 300],
      ['projects', 100],
      ['partners', 100],
      ['certifications', 100],
      ['about-items', 100],
    ]);
  });

  it('stays on the create screen after street lights only', () => {
    expect(RESOURCES.filter((resource) => resource.afterCreate === 'stay').map(({ name }) => name)).toEqual([
      'street-lights',
    ]);
  });

  it('has text areas of 6 and 10 rows and a serial stepping by 1', () => {
    expect(fieldOf(resourceOf('projects'), 'description')).toMatchObject({ kind: 'longText', rows: 6 });
    expect(fieldOf(siteMeta, 'metaTag')).toMatchObject({ kind: 'longText', rows: 10 });
    expect(fieldOf(resourceOf('sliders'), 'serial')).toMatchObject({ kind: 'integer', step: 1 });
  });

  it('gives every catalogue item a catalogue file and images', () => {
    const withCatalog = RESOURCES.filter(
      (resource) => resource.fields.filter(isAttachment).map(wireName).join() === 'catalog,images[]',
    );
    expect(withCatalog.map(({ name }) => name)).toEqual([
      'generators',
      'solar-panels',
      'grid-tie-inverters',
      'ups',
      'street-lights',
    ]);
  });
});

describe('a record’s title', () => {
  it('is its title fields, or its kind and id', () => {
    const generators = resourceOf('generators');
    expect(titleOf(generators, { id: 3, brand: 'Perkins', generator_model: 'G1' })).toBe('Perkins G1');
    expect(titleOf(generators, { id: 3, brand: null, generator_model: '' })).toBe('Generator 3');
    expect(titleOf(generators, {})).toBe('Generator');
    expect(titleOf(generators, { id: localId('f445a657'), brand: '' })).toBe('Generator');
  });
});

it('escapes a file name in an upload address', () => {
  expect(uploadAddress('a b#?.png')).toBe('/uploads/a%20b%23%3F.png');
});

it('refuses an unknown resource name', () => {
  expect(() => resourceOf('windmills' as never)).toThrow('windmills');
});
