import type { Kysely } from 'kysely';
import { sql } from 'kysely';

const INVERTER_BRANDS = [
  'ABB',
  'Canadian Solar',
  'Delta',
  'Enphase',
  'Fimer',
  'Fronius',
  'Ginlong Solis',
  'GoodWe',
  'Growatt',
  'Huawei',
  'Kaco',
  'Schneider Electric',
  'SMA',
  'Sofar',
  'SolarEdge',
  'Sungrow',
];

/** Common values, so that a new installation can create every kind of record. Edited with `npm run lookups`. */
const FIRST_LOOKUPS: readonly (readonly [lookup: string, parent: string, values: readonly string[]])[] = [
  [
    'generator-series',
    '',
    [
      'Baudouin Series',
      'Cummins Series',
      'Doosan Series',
      'FPT Series',
      'Perkins Series',
      'Ricardo Series',
      'Volvo Series',
    ],
  ],
  [
    'ups-types',
    '',
    ['Line Interactive', 'Modular Online', 'Offline', 'Online Rack Mount', 'Online Single Phase', 'Online Three Phase'],
  ],
  ['gti-brands', 'Single Phase', INVERTER_BRANDS],
  ['gti-brands', 'Three Phase', INVERTER_BRANDS.filter((brand) => brand !== 'Enphase')],
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const [lookup, parent, values] of FIRST_LOOKUPS) {
    for (const value of values) {
      await sql`INSERT INTO lookups (lookup, parent, value) VALUES (${lookup}, ${parent}, ${value})`.execute(db);
    }
  }
}
