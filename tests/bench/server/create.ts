import { mkdtempSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import sharp from 'sharp';
import { gridTieInverters } from '../../../src/domain/resources/grid-tie-inverters.ts';
import { pdf } from '../../harness/sample-files.ts';
import { TestServer } from '../../harness/server.ts';
import { alternate } from '../kit/alternate.ts';
import { Client } from '../kit/client.ts';
import { type Attachment, inverterForm } from '../kit/forms.ts';
import { photo } from '../kit/photos.ts';
import { signIn } from '../kit/sign-in.ts';

const RUNS = 7;

/** Re-encodes the photos, writes and flushes them, and commits one row: the minimum for any such server. */
async function bareCreate(folder: string, database: DatabaseSync, photos: readonly Buffer[]): Promise<void> {
  await Promise.all(
    photos.map(async (bytes, index) => {
      const encoded = await sharp(bytes).autoOrient().jpeg({ quality: 90 }).toBuffer();
      const file = await open(join(folder, `${index}.jpg`), 'w');
      await file.write(encoded);
      await file.sync();
      await file.close();
    }),
  );
  database.prepare('INSERT INTO items (model) VALUES (?)').run('STP');
}

function bareDatabase(folder: string): DatabaseSync {
  const database = new DatabaseSync(join(folder, 'bare.sqlite'));
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE items (model TEXT)');
  return database;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

async function create(client: Client, files: readonly Attachment[]): Promise<void> {
  const { status, body } = await client.post(gridTieInverters.endpoints.create, inverterForm(files));
  if (status !== 200) throw new Error(`Creating answered ${status}: ${body.toString()}`);
}

/** A create with three photos of 2 MB, against sharp and SQLite alone. */
export const createWithPhotos = {
  name: 'create',
  async measure() {
    const folder = mkdtempSync(join(tmpdir(), 'voltdesk-bench-'));
    const database = bareDatabase(folder);
    const server = await TestServer.start({ settings: { LOG_LEVEL: 'error' } });
    const client = new Client(server.origin, await signIn(server.origin));
    const photos = await Promise.all([photo(), photo(), photo()]);
    const catalog: Attachment = { field: 'catalog', bytes: pdf('c', 1).buffer, type: 'application/pdf', name: 'c.pdf' };
    const images = photos.map((bytes): Attachment => ({ field: 'images[]', bytes, type: 'image/jpeg', name: 'p.jpg' }));
    const times = await alternate(RUNS, {
      ours: () => timed(() => create(client, [catalog, ...images])),
      bare: () => timed(() => bareCreate(folder, database, photos)),
    });
    client.close();
    database.close();
    await server.remove();
    rmSync(folder, { recursive: true });
    const against = { name: 'sharp and SQLite alone', sample: times.bare };
    return [{ what: 'create with three photos of 2 MB', unit: 'ms', ours: times.ours, against }] as const;
  },
};
