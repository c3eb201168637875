import type { Field } from '../../src/domain/fields.ts';
import type { AnyResource } from '../../src/domain/resource.ts';
import { RESOURCES } from '../../src/domain/resources/index.ts';
import { siteMeta } from '../../src/domain/resources/site-meta.ts';
import { PICTURE_WIDTHS } from '../uploads/picture-sizes.ts';
import { publicName } from './content-record.ts';
import { schemaName } from './openapi.ts';

/** TypeScript declarations of everything that the content API answers. */
export function contentTypes(): string {
  const widths = PICTURE_WIDTHS.map((width) => `  readonly '${width}': string;`);
  const kinds = RESOURCES.map((resource) => `  readonly '${resource.name}': readonly ${schemaName(resource)}[];`);
  return [
    '/** A picture: its own address, and those of smaller versions by width in pixels. */\nexport interface ContentImage {\n  readonly url: string;\n  readonly widths: ContentWidths;\n}',
    `export interface ContentWidths {\n${widths.join('\n')}\n}`,
    '/** A document to download. `size` is in bytes. */\nexport interface ContentFile {\n  readonly url: string;\n  readonly name: string;\n  readonly type: string;\n  readonly size: number;\n}',
    '/** One page of a list. `next` is the value of `after` for the next one. */\nexport interface ContentPage<Item> {\n  readonly items: readonly Item[];\n  readonly total: number;\n  readonly next: string | null;\n}',
    declarationOf('Site', siteMeta),
    ...RESOURCES.map((resource) => declarationOf(schemaName(resource), resource)),
    `/** The answer to \`/content/v1/all\`. */\nexport interface Content {\n  readonly site: Site;\n${kinds.join('\n')}\n}`,
  ].join('\n\n');
}

function declarationOf(name: string, { fields }: AnyResource): string {
  const members = fields.map((field) => `  readonly ${publicName(field)}: ${TYPES[field.kind]};`);
  return `export interface ${name} {\n  readonly id: number;\n${members.join('\n')}\n  /** ISO 8601. */\n  readonly updatedAt: string;\n}`;
}

/** The type of each kind of field. Records that were stored under other rules may lack any value. */
const TYPES: { readonly [K in Field['kind']]: string } = {
  text: 'string | null',
  longText: 'string | null',
  integer: 'number | null',
  choice: 'string | null',
  lookup: 'string | null',
  file: 'ContentFile | null',
  image: 'ContentImage | null',
  images: 'readonly ContentImage[]',
};
