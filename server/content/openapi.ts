import type { Field } from '../../src/domain/fields.ts';
import { CONTENT_PATH } from '../../src/domain/protocol/content.ts';
import type { AnyResource, Resource } from '../../src/domain/resource.ts';
import { RESOURCES } from '../../src/domain/resources/index.ts';
import { siteMeta } from '../../src/domain/resources/site-meta.ts';
import { shownValue } from '../../src/domain/shown.ts';
import type { Settings } from '../settings/settings.ts';
import { PICTURE_WIDTHS } from '../uploads/picture-sizes.ts';
import { MAX_LIMIT, queryFields } from './content-query.ts';
import { publicName } from './content-record.ts';

/** The version of the content API, as its path says. */
const VERSION = '1.0.0';

type Json = Readonly<Record<string, unknown>>;

/** The description of the content API in OpenAPI 3.1 (https://spec.openapis.org/oas/v3.1.1), derived from the definitions. */
export function openApiDocument({
  brandLabel,
  publicHost,
  content,
}: Pick<Settings, 'brandLabel' | 'publicHost' | 'content'>) {
  const isGuarded = content === 'token';
  return {
    openapi: '3.1.0',
    info: {
      title: `${brandLabel} content`,
      version: VERSION,
      description: 'What the public site shows: read only, cacheable, current at every request.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: publicHost === '' ? '/' : `https://${publicHost}` }],
    ...(isGuarded ? { security: [{ token: [] }] } : { security: [] }),
    paths: allPaths(),
    components: {
      ...(isGuarded ? { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } } : {}),
      schemas: {
        Image: IMAGE,
        File: FILE,
        Error: objectOf({ message: { type: 'string' } }),
        Site: recordSchema(siteMeta),
        ...Object.fromEntries(RESOURCES.map((resource) => [schemaName(resource), recordSchema(resource)])),
        All: objectOf({
          site: refTo('Site'),
          ...Object.fromEntries(RESOURCES.map((resource) => [resource.name, listOf(refTo(schemaName(resource)))])),
        }),
      },
    },
  };
}

/** The name of a kind's schema and type: `solar-panels` becomes `SolarPanel`. */
export function schemaName({ label }: Pick<Resource, 'label'>): string {
  return label.one.replaceAll(/[^A-Za-z]+(\w)?/g, (_, letter: string = '') => letter.toUpperCase());
}

function allPaths(): Readonly<Record<string, Json>> {
  return {
    [`${CONTENT_PATH}/site`]: { get: readCall('getSite', 'The site-wide settings', refTo('Site')) },
    [`${CONTENT_PATH}/all`]: { get: readCall('getAll', 'Everything in one document', refTo('All')) },
    ...Object.fromEntries(RESOURCES.flatMap(pathsOf)),
  };
}

function pathsOf(resource: Resource): [string, Json][] {
  const path = `${CONTENT_PATH}/${resource.name}`;
  const { one, many } = resource.label.noun;
  const name = schemaName(resource);
  const page = objectOf({
    items: listOf(refTo(name)),
    total: { type: 'integer', description: 'How many records match, on all pages.' },
    next: { type: ['string', 'null'], description: 'The value of `after` for the next page.' },
  });
  const id = { name: 'id', in: 'path', required: true, schema: { type: 'integer', minimum: 1 }, example: 1 };
  return [
    [
      path,
      {
        get: { ...readCall(`list${name}s`, `A list of ${many}`, page, ['400']), parameters: listParameters(resource) },
      },
    ],
    [`${path}/{id}`, { get: { ...readCall(`get${name}`, `One ${one}`, refTo(name), ['404']), parameters: [id] } }],
  ];
}

function listParameters(resource: Resource): Json[] {
  const fields = queryFields(resource);
  const text = { type: 'string' };
  const filters = fields.flatMap((field) => [
    {
      name: field,
      in: 'query',
      description: 'Only records with one of these values.',
      schema: listOf(text),
      explode: true,
    },
    {
      name: `${field}>`,
      in: 'query',
      description: `As in \`${field}>=100kVA\`: at least this quantity.`,
      schema: text,
    },
    { name: `${field}<`, in: 'query', description: `As in \`${field}<=100kVA\`: at most this quantity.`, schema: text },
  ]);
  return [
    ...filters,
    {
      name: 'sort',
      in: 'query',
      description: 'Fields, separated by commas; a minus in front reverses one.',
      schema: text,
      example: `-${fields[0]}`,
    },
    { name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1, maximum: MAX_LIMIT, default: MAX_LIMIT } },
    { name: 'after', in: 'query', description: '`next` of the previous page.', schema: text },
  ];
}

const FAILURES: Readonly<Record<string, string>> = {
  '400': 'A parameter cannot be used; the message says which one.',
  '401': 'The token is missing, or was revoked.',
  '404': 'There is no such record.',
  '429': 'Too many calls. `Retry-After` says how many seconds to wait.',
};

function readCall(operationId: string, summary: string, schema: Json, failures: readonly string[] = []): Json {
  const responses = Object.fromEntries(
    ['401', '429', ...failures].map((status) => [
      status,
      { description: FAILURES[status], content: jsonOf(refTo('Error')) },
    ]),
  );
  const answered = { description: summary, headers: { ETag: { schema: { type: 'string' } } }, content: jsonOf(schema) };
  return {
    operationId,
    summary,
    responses: { '200': answered, '304': { description: 'Not modified.' }, ...responses },
  };
}

/** The schema of one record. Every property is always present. */
function recordSchema(resource: AnyResource): Json {
  const fields = resource.fields.map((field) => [publicName(field), SCHEMAS[field.kind](field as never)] as const);
  return objectOf({
    id: { type: 'integer' },
    ...Object.fromEntries(fields),
    updatedAt: { type: 'string', format: 'date-time' },
  });
}

const OPTIONAL_TEXT = { type: ['string', 'null'] };

/** The schema of each kind of field. Records that were stored under other rules may lack any text. */
const SCHEMAS: { readonly [K in Field['kind']]: (field: Extract<Field, { kind: K }>) => Json } = {
  text: ({ format, label }) => ({
    ...OPTIONAL_TEXT,
    description: label,
    ...(format === 'url' ? { format: 'uri' } : {}),
  }),
  longText: ({ label }) => ({ ...OPTIONAL_TEXT, description: label }),
  integer: ({ label }) => ({ type: ['integer', 'null'], description: label }),
  choice: ({ label, options }) => ({ ...OPTIONAL_TEXT, description: label, examples: options.map(shownValue) }),
  lookup: ({ label }) => ({ ...OPTIONAL_TEXT, description: label }),
  file: () => ({ anyOf: [refTo('File'), { type: 'null' }] }),
  image: () => ({ anyOf: [refTo('Image'), { type: 'null' }] }),
  images: () => listOf(refTo('Image')),
};

const ADDRESS = { type: 'string', format: 'uri-reference' };
const IMAGE = objectOf({
  url: ADDRESS,
  widths: objectOf(Object.fromEntries(PICTURE_WIDTHS.map((width) => [width, ADDRESS]))),
});
const FILE = objectOf({
  url: ADDRESS,
  name: { type: 'string' },
  type: { type: 'string' },
  size: { type: 'integer', description: 'Bytes.' },
});

function objectOf(properties: Json): Json {
  return { type: 'object', properties, required: Object.keys(properties) };
}

function listOf(items: Json): Json {
  return { type: 'array', items };
}

function refTo(schema: string): Json {
  return { $ref: `#/components/schemas/${schema}` };
}

function jsonOf(schema: Json): Json {
  return { 'application/json': { schema } };
}
