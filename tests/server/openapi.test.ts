import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, test } from 'vitest';
import { queryFields } from '../../server/content/content-query.ts';
import { contentTypes } from '../../server/content/types.ts';
import { openApiDocument, schemaName } from '../../server/content/openapi.ts';
import { RESOURCES } from '../../src/domain/resources/index.ts';
import { startServer } from './harness.ts';

const SETTINGS = { brandLabel: 'Northern', publicHost: 'desk.example.com', content: 'token' } as const;

test.each(['public', 'token'] as const)('the description of %s content is valid OpenAPI 3.1', async (content) => {
  const { app } = await startServer({ CONTENT: content });
  const document =
    content === 'public'
      ? (await app.inject('/content/v1/openapi.json')).json()
      : JSON.parse(JSON.stringify(openApiDocument(SETTINGS)));
  const validator = new Validator();
  expect(await validator.validate(document)).toEqual({ valid: true });
  expect(validator.version).toBe('3.1');
});

test('it describes every kind with its filters, and every answer names only schemas that exist', () => {
  const document = openApiDocument(SETTINGS);
  const schemas = Object.keys(document.components.schemas);
  const named = [...JSON.stringify(document).matchAll(/#\/components\/schemas\/(\w+)/g)].map(([, name]) => name ?? '');
  expect(named.filter((name) => !schemas.includes(name))).toEqual([]);
  for (const resource of RESOURCES) {
    expect(schemas).toContain(schemaName(resource));
    const path = document.paths[`/content/v1/${resource.name}`] as unknown as {
      readonly get: { readonly parameters: readonly { readonly name: string }[] };
    };
    const names = path.get.parameters.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining([...queryFields(resource), 'sort', 'limit', 'after']));
  }
});

test('every operation has a name of its own', () => {
  const names = [...JSON.stringify(openApiDocument(SETTINGS)).matchAll(/"operationId":"(\w+)"/g)].map(
    ([, name]) => name,
  );
  expect(new Set(names).size).toBe(names.length);
  expect(names).toEqual(expect.arrayContaining(['listGenerators', 'getSolarPanel', 'getSite', 'getAll']));
});

test('the types declare every kind once', () => {
  const types = contentTypes();
  for (const resource of RESOURCES) expect(types.split(`interface ${schemaName(resource)} {`)).toHaveLength(2);
  expect(types).toContain('readonly generatorModel: string | null;');
  expect(types).toContain("readonly 'solar-panels': readonly SolarPanel[];");
});
