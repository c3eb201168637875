import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { resourceOf } from '../../../src/domain/resources/index.ts';
import { Api } from '../../harness/api.ts';
import { png } from '../../harness/sample-files.ts';
import type { TestServer } from '../../harness/server.ts';

/** Pictures shared by the rows: few enough for a device to keep, and far more than are visible. */
export const PICTURES = 48;
/** Bytes of each before the server resizes it. */
const WEIGHT = 300_000;

/**
 * Adds pictures (to seven of eight) and catalogues (to every other) to the inverters of a server, so that facets split them.
 * The pictures belong to partners, and are stored as an app stores them.
 */
export async function illustrate(server: TestServer): Promise<void> {
  const partners = resourceOf('partners');
  const api = await Api.signIn(server.origin);
  for (let seed = 1; seed <= PICTURES; seed += 1) {
    const picture = png(`picture ${seed}.png`, seed, WEIGHT);
    await api.post(partners.endpoints.create, [
      ['name', `Partner ${seed}`],
      ['link', 'https://example.com'],
      ['image', picture],
    ]);
  }
  const rows = (await api.get(partners.endpoints.list)) as { image: string }[];
  await server.stop();
  share(
    join(server.dataDir, 'voltdesk.sqlite'),
    rows.map(({ image }) => image),
  );
  await server.start();
}

function share(path: string, names: readonly string[]): void {
  const database = new DatabaseSync(path);
  const insert = database.prepare(
    `INSERT INTO images (resource, record_id, image) VALUES ('grid-tie-inverters', ?, ?)`,
  );
  const count = Number(database.prepare('SELECT count(*) AS count FROM grid_tie_inverters').get()?.['count']);
  database.exec('BEGIN');
  for (let id = 1; id <= count; id += 1) if (id % 8 !== 0) insert.run(id, names[id % names.length] ?? '');
  database.prepare('UPDATE grid_tie_inverters SET catalog = ? WHERE id % 2 = 0').run(names[0] ?? '');
  database.exec('COMMIT');
  database.close();
}
