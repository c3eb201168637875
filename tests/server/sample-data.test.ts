import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import sharp from 'sharp';
import { describe, expect, onTestFinished, test } from 'vitest';
import { chance } from '../../server/sample-data/chance.ts';
import { readCsv } from '../../server/sample-data/csv.ts';
import { allSized, type Stored, storeSample } from '../../server/sample-data/files.ts';
import { fill, hasRecords } from '../../server/sample-data/fill.ts';
import { cataloguePdf } from '../../server/sample-data/pdf.ts';
import { clientLogos, picturesOf } from '../../server/sample-data/pictures.ts';
import { SAMPLE_SITE_META, sampleRows } from '../../server/sample-data/rows.ts';
import { openDatabase } from '../../server/stores/sqlite/open.ts';
import { tableOf } from '../../server/stores/sql/tables.ts';
import { makeFolder, realDisk } from '../../server/uploads/disk.ts';
import { filesOnDisk } from '../../server/uploads/file-store.ts';
import { sizeNames, sizePaths } from '../../server/uploads/sizes.ts';
import { incomingFolder, type Storage } from '../../server/uploads/storage.ts';
import { isAttachment } from '../../src/domain/fields.ts';
import { RESOURCES, resourceOf } from '../../src/domain/resources/index.ts';
import { siteMeta } from '../../src/domain/resources/site-meta.ts';
import { titleOf } from '../../src/domain/resource.ts';
import { validate } from '../../src/domain/validate.ts';
import { freshFolder } from './harness.ts';
import { sha256 } from './samples.ts';

const HOUR = 60 * 60 * 1000;
const NOW = Date.UTC(2026, 10, 23, 12);
const MANY = { maxFileBytes: 10_000_000, maxRequestBytes: 10_000_000, maxFiles: 20 };

async function storageIn(folder: string): Promise<Storage> {
  const files = filesOnDisk(folder, realDisk);
  await makeFolder(incomingFolder({ folder }));
  return { folder, disk: realDisk, files, limits: MANY, randomBytes, now: () => NOW };
}

describe('random numbers', () => {
  test('are the same for the same seed, and differ for another', () => {
    const texts = [7, 7, 8].map((seed) => {
      const luck = chance(seed);
      return Array.from({ length: 20 }, () => luck.next()).join();
    });
    expect([texts[0] === texts[1], texts[0] === texts[2]]).toEqual([true, false]);
  });

  test('reach both ends of a range and every choice, and nothing else', () => {
    const luck = chance(1);
    const numbers = new Set(Array.from({ length: 500 }, () => luck.whole(3, 6)));
    expect([...numbers].toSorted()).toEqual([3, 4, 5, 6]);
    const picked = new Set(Array.from({ length: 500 }, () => luck.pick(['a', 'b', 'c'])));
    expect([...picked].toSorted()).toEqual(['a', 'b', 'c']);
    expect(() => luck.pick([])).toThrow('nothing to pick');
  });
});

describe('a catalogue page', () => {
  const page = (facts: readonly (readonly [string, string])[]) => {
    const colour = [0.06, 0.3, 0.36] as const;
    return cataloguePdf({ heading: 'Panel (A\\B)', under: 'Solar panel', facts, colour }).toString('latin1');
  };

  test('is a PDF with correct object offsets and text length', () => {
    const file = page([['Brand', 'Aleo']]);
    const table = Number(/startxref\n(\d+)\n%%EOF\n$/.exec(file)?.[1]);
    expect(file.slice(table, table + 9)).toBe('xref\n0 7\n');
    const places = [...file.slice(table).matchAll(/^(\d{10}) 00000 n $/gm)].map(([, place]) => Number(place));
    const begun = places.map((place) => file.slice(place, place + 7));
    expect(begun).toEqual([1, 2, 3, 4, 5, 6].map((number) => `${number} 0 obj`));
    const [, length, content = ''] = /\/Length (\d+) >>\nstream\n([^]*?)\nendstream/.exec(file) ?? [];
    expect(Number(length)).toBe(content.length);
    expect(file).toContain('/Size 7 /Root 1 0 R');
  });

  test('shows every fact in its own row, below the heading', () => {
    const file = page([
      ['Brand', 'Aleo'],
      ['Capacity', '162 W'],
    ]);
    expect(file).toContain('40 790 Td (Panel \\(A\\\\B\\)) Tj');
    expect(file).toContain('40 690 Td (Brand) Tj');
    expect(file).toContain('230 690 Td (Aleo) Tj');
    expect(file).toContain('40 660 Td (Capacity) Tj');
    expect(file).toContain('230 660 Td (162 W) Tj');
  });

  test('replaces letters that its typeface lacks', () => {
    expect(page([['Márka', 'Łódź']])).toContain('(Márka) Tj');
    expect(page([['Márka', 'Łódź']])).toContain('(?ód?) Tj');
  });
});

describe('the sample texts', () => {
  test('are valid for every kind, which has some', async () => {
    const rows = await sampleRows();
    for (const { name, fields } of RESOURCES) {
      const texts = fields.filter((field) => !isAttachment(field));
      const some = rows[name] ?? [];
      expect(some.length, name).toBeGreaterThan(2);
      for (const values of some) {
        const input = { values, files: [], creating: true, maxFileBytes: MANY.maxFileBytes };
        expect(validate(texts, input), JSON.stringify(values)).toEqual({});
        expect(Object.values(values).join(), name).not.toMatch(/undefined|NaN|null/);
      }
    }
    const sliders = (rows.sliders ?? []).map(({ serial }) => Number(serial));
    expect(sliders).toEqual(sliders.map((_serial, index) => index + 1));
    const input = { values: SAMPLE_SITE_META, files: [], creating: true, maxFileBytes: 0 };
    expect(validate(siteMeta.fields, input)).toEqual({});
  });

  test('are the same each time, and name each machine by its capacity', async () => {
    const [rows, again] = [await sampleRows(), await sampleRows()];
    expect(rows).toEqual(again);
    for (const { capacity = '', generator_model = '' } of rows.generators ?? [])
      expect(generator_model).toContain(capacity.replace(' kVA', ''));
    const supplies = (rows.ups ?? []).map(({ capacity = '', model = '' }) => [capacity, model]);
    for (const [capacity = '', model] of supplies)
      expect(model).toContain(
        capacity.endsWith(' kVA') ? `${Number.parseFloat(capacity)}K` : `${Number.parseFloat(capacity)}`,
      );
    const kinds = new Set(
      (rows.projects ?? []).map(({ type = '', capacity = '' }) => `${type}: ${capacity.split(' ')[1]}`),
    );
    expect([...kinds]).toEqual(['Rooftop Solor Panel: kWp', 'Generator: kVA']);
  });

  test('use only series and types that a new installation has', async () => {
    const db = await openDatabase(await freshFolder());
    onTestFinished(() => db.destroy());
    const known = new Set((await db.selectFrom('lookups').selectAll().execute()).map((row) => row.value));
    const { generators = [], ups = [] } = await sampleRows();
    const chosen = new Set([...generators.map(({ series }) => series), ...ups.map(({ type }) => type)]);
    expect([...chosen].filter((value) => !known.has(value ?? ''))).toEqual([]);
  });

  test('of real machines are read by column name', async () => {
    const panels = await readCsv('solar-panels.csv');
    expect(panels[0]).toEqual({ brand: 'Advent Solar', capacity: '163 W', model: 'AS160', type: 'Polycrystalline' });
    const inverters = await readCsv('grid-tie-inverters.csv');
    expect(inverters[0]).toMatchObject({ type: 'Single Phase', brand: 'ABB', capacity: '0.25 kW' });
    for (const row of [...panels, ...inverters]) expect(Object.values(row)).not.toContain('');
    expect([panels.length, inverters.length]).toEqual([364, 1685]);
  });
});

test('draws different pictures of a kind, and at most twenty-four small logos', async () => {
  const pictures = await picturesOf('partners', 3);
  expect(new Set(pictures.map((bytes) => sha256(bytes))).size).toBe(3);
  const logos = await clientLogos(2);
  expect(new Set(logos.map((bytes) => sha256(bytes))).size).toBe(2);
  expect((await sharp(logos[0]).metadata()).format).toBe('jpeg');
  expect(await clientLogos(30)).toHaveLength(24);
});

describe('a sample file', () => {
  const photo = (bytes: Buffer, originalName = 'photo.jpg') =>
    ({ field: 'images', bytes, type: 'image/jpeg', originalName }) as const;
  const picture = () =>
    sharp({ create: { width: 30, height: 20, channels: 3, background: 'teal' } })
      .jpeg()
      .toBuffer();

  test('is stored under a new name, with its facts', async () => {
    const storage = await storageIn(await freshFolder());
    const bytes = Buffer.from('%PDF-1.4 page');
    const sample = { field: 'catalog', bytes, type: 'application/pdf', originalName: 'page.pdf' } as const;
    const { field, stored } = await storeSample(storage, new Map(), sample, '2026-01-01T00:00:00.000Z');
    expect([field, await readFile(join(storage.folder, stored.name))]).toEqual(['catalog', bytes]);
    expect(stored).toEqual({
      name: expect.stringMatching(/^[0-9a-f]{40}\.pdf$/),
      type: 'application/pdf',
      size: bytes.length,
      sha256: sha256(bytes),
      received_size: bytes.length,
      received_sha256: sha256(bytes),
      original_name: 'page.pdf',
      created_at: '2026-01-01T00:00:00.000Z',
    });
  });

  test('shared by several records is drawn once and stored under several names, each with smaller sizes', async () => {
    const storage = await storageIn(await freshFolder());
    const shared: string[] = [];
    storage.files.share = async (name) => {
      await pause(1);
      shared.push(name);
    };
    const stored: Stored = new Map();
    const bytes = await picture();
    const names: string[] = [];
    for (let time = 0; time < 3; time += 1)
      names.push((await storeSample(storage, stored, photo(bytes), '')).stored.name);
    expect(new Set(names).size).toBe(3);
    expect(names.every((name) => name.endsWith('.jpg'))).toBe(true);
    await allSized(stored);
    expect(shared.toSorted()).toEqual(names.flatMap((name) => sizeNames(name)).toSorted());
    const [first = [], ...others] = await Promise.all(
      names.map((name) => Promise.all(sizePaths(storage, name).map((path) => readFile(path)))),
    );
    expect(first).toHaveLength(6);
    for (const other of others) expect(other.map((size) => sha256(size))).toEqual(first.map((size) => sha256(size)));
    for (const name of names) expect(await readFile(join(storage.folder, name))).toEqual(bytes);
    const places = await Promise.all(names.map(async (name) => (await stat(join(storage.folder, name))).ino));
    expect(new Set(places).size).toBe(1);
  });
});

test('fills a fresh database with records of every kind, an hour apart, with their history and files', async () => {
  const dataDir = await freshFolder();
  const db = await openDatabase(dataDir);
  onTestFinished(() => db.destroy());
  const storage = await storageIn(join(dataDir, 'uploads'));
  const kept: string[] = [];
  storage.files.keep = async (names) => void kept.push(...names);
  // smaller pictures are drawn elsewhere
  storage.files.has = async () => true;
  expect(await hasRecords(db)).toBe(false);
  const [before] = await db.selectFrom('site_meta').select('version').execute();

  const counts = await fill({ db, storage }, 1);
  expect(counts).toEqual(Object.fromEntries(RESOURCES.map(({ label }) => [label.many, 1])));
  expect(await hasRecords(db)).toBe(true);
  const changes = await db
    .selectFrom('changes')
    .select(['resource', 'record_id', 'action', 'user_name', 'at', 'after'])
    .execute();
  const AT = new Date(NOW - HOUR).toISOString();
  for (const resource of RESOURCES) {
    const [row] = await db.selectFrom(tableOf(resource)).selectAll().execute();
    expect(row, resource.name).toMatchObject({ id: 1, created_at: AT, updated_at: AT });
    const [change, ...more] = changes.filter((one) => one.resource === resource.name);
    expect(change).toMatchObject({ record_id: 1, action: 'create', user_name: 'Sample data', at: AT });
    expect(more).toEqual([]);
    const content = JSON.parse(change?.after ?? '');
    for (const { name } of resource.fields.filter(isAttachment)) {
      const stored = expect.objectContaining({ file: expect.any(String) });
      expect([content[name]].flat(), `${resource.name} ${name}`).toContainEqual(stored);
    }
  }
  const files = await db.selectFrom('files').select(['name', 'sha256', 'original_name']).execute();
  expect(kept.toSorted()).toEqual(files.map(({ name }) => name).toSorted());
  expect(files.map(({ original_name }) => original_name)).toEqual(
    expect.arrayContaining([expect.stringMatching(/^perkins-p20[a-z]?\.pdf$/)]),
  );
  const rows = await sampleRows();
  const drawn = { partners: (await picturesOf('partners', 2))[0], projects: (await clientLogos(1))[0] };
  for (const kind of ['partners', 'projects'] as const) {
    const title = titleOf(resourceOf(kind), rows[kind]?.[0] ?? {}).toLowerCase();
    const file = files.find(
      ({ original_name }) => original_name === `${title.replaceAll(/[^a-z0-9]+/g, '-').slice(0, 60)}.jpg`,
    );
    expect(file?.sha256, kind).toBe(sha256(drawn[kind] ?? Buffer.alloc(0)));
  }

  const brands = await db
    .selectFrom('lookups')
    .select(['parent', 'value'])
    .where('lookup', '=', 'gti-brands')
    .execute();
  const real = rows['grid-tie-inverters'] ?? [];
  for (const { type, brand } of real.slice(0, 50).concat(real.slice(-50)))
    expect(brands).toContainEqual({ parent: type, value: brand });
  const [meta] = await db.selectFrom('site_meta').selectAll().execute();
  expect(meta).toMatchObject({ title: SAMPLE_SITE_META['title'], email: SAMPLE_SITE_META['email'] });
  expect(meta?.version).not.toBe(before?.version);
});

test('dates the records of a kind an hour apart up to an hour ago, and draws their smaller pictures first', async () => {
  const dataDir = await freshFolder();
  const db = await openDatabase(dataDir);
  onTestFinished(() => db.destroy());
  const storage = await storageIn(join(dataDir, 'uploads'));
  // instead of drawing smaller pictures, which takes seconds
  storage.files.has = async (name) => {
    await pause(5);
    await makeFolder(dirname(join(storage.folder, name)));
    await writeFile(join(storage.folder, name), 'small');
    return true;
  };
  const missing: string[] = [];
  storage.files.keep = async (names) => {
    const pictures = names.filter((name) => name.endsWith('.jpg'));
    missing.push(...pictures.flatMap((name) => sizePaths(storage, name)).filter((path) => !existsSync(path)));
  };
  await fill({ db, storage }, 2);
  expect(missing).toEqual([]);
  for (const resource of RESOURCES) {
    const rows = await db.selectFrom(tableOf(resource)).select('created_at').orderBy('id').execute();
    expect(rows.map((row) => NOW - Date.parse(row.created_at))).toEqual([2 * HOUR, HOUR]);
  }
});
