import { RESOURCES } from '../../src/domain/resources/index.ts';
import type { Database } from '../stores/sql/tables.ts';

const LOOKUPS_USAGE = `npm run lookups -- list [LIST]
npm run lookups -- add LIST VALUE
npm run lookups -- remove LIST VALUE
npm run lookups -- add gti-brands "Single Phase" VALUE
The lists are generator-series, ups-types and gti-brands; inverter brands belong to a type.`;

/** Edits lookup lists. Returns the output. Throws readable errors. */
export async function manageLookups(db: Database, [command, lookup, ...rest]: readonly string[]): Promise<string> {
  if (command === 'list') return listAll(db, lookup);
  if ((command === 'add' || command === 'remove') && lookup !== undefined) {
    const row = rowOf(lookup, rest);
    return command === 'add' ? add(db, row) : remove(db, row);
  }
  throw new Error(LOOKUPS_USAGE);
}

interface Row {
  readonly lookup: string;
  readonly parent: string;
  readonly value: string;
}

/** The parent values of a lookup list. Undefined if there is no such list. */
function parentsOf(lookup: string): readonly string[] | undefined {
  for (const { fields } of RESOURCES) {
    const field = fields.find((one) => one.kind === 'lookup' && one.lookup === lookup);
    if (field?.kind !== 'lookup') continue;
    const parent = fields.find((one) => one.name === field.dependsOn);
    return parent?.kind === 'choice' ? parent.options : [''];
  }
  return undefined;
}

function rowOf(lookup: string, rest: readonly string[]): Row {
  const parents = parentsOf(lookup);
  if (parents === undefined) throw new Error(`There is no list named "${lookup}".\n${LOOKUPS_USAGE}`);
  const [parent = '', value = ''] = parents[0] === '' ? ['', rest[0]] : rest;
  if (!parents.includes(parent)) throw new Error(`${lookup} belongs to one of: ${parents.join(', ')}.`);
  if (value.trim() === '') throw new Error(LOOKUPS_USAGE);
  return { lookup, parent, value: value.trim() };
}

async function listAll(db: Database, lookup: string | undefined): Promise<string> {
  const all = db.selectFrom('lookups').selectAll().orderBy('lookup').orderBy('parent').orderBy('value');
  const rows = await (lookup === undefined ? all : all.where('lookup', '=', lookup)).execute();
  return rows.map((row) => [row.lookup, row.parent, row.value].filter((part) => part !== '').join(' › ')).join('\n');
}

async function add(db: Database, row: Row): Promise<string> {
  await db
    .insertInto('lookups')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return `"${row.value}" is in ${row.lookup}.`;
}

/** Removes a value. Records keep it, but it can no longer be chosen. */
async function remove(db: Database, { lookup, parent, value }: Row): Promise<string> {
  const { numDeletedRows } = await db
    .deleteFrom('lookups')
    .where('lookup', '=', lookup)
    .where('parent', '=', parent)
    .where('value', '=', value)
    .executeTakeFirst();
  if (numDeletedRows === 0n) throw new Error(`"${value}" is not in ${lookup}.`);
  return `"${value}" was removed from ${lookup}. Records that have it keep it.`;
}
