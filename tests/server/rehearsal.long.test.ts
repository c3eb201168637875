import { spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { backUp } from '../../server/commands/backup.ts';
import { partners } from '../../src/domain/resources/partners.ts';
import { formOf, freshFolder, signedIn } from './harness.ts';
import { filesFor, valuesFor } from './samples.ts';

const [RECORDS, FILES, FILE_BYTES] = [10_000, 200, 10 * 1024 * 1024];
const [MOST_SECONDS, MOST_MEGABYTES] = [60, 350];

/** Fills a backup with copies of its one record, and with files of random bytes. */
function fill(file: string): void {
  const backup = new DatabaseSync(file);
  backup.exec('BEGIN');
  const columns = backup
    .prepare("SELECT name FROM pragma_table_info('partners') WHERE name NOT IN ('id', 'version')")
    .all()
    .map(({ name }) => `"${name}"`)
    .join(', ');
  const copy = backup.prepare(
    `INSERT INTO partners (id, version, ${columns}) SELECT ?, ?, ${columns} FROM partners LIMIT 1`,
  );
  for (let id = 2; id <= RECORDS; id += 1) copy.run(id, `version-${id}`);
  const fileColumns = backup
    .prepare("SELECT name FROM pragma_table_info('files') WHERE name NOT IN ('name', 'sha256')")
    .all()
    .map(({ name }) => `"${name}"`)
    .join(', ');
  const named = backup.prepare(
    `INSERT INTO files (name, sha256, ${fileColumns}) SELECT ?, ?, ${fileColumns} FROM files LIMIT 1`,
  );
  const stored = backup.prepare('INSERT INTO backup_files (name, content) VALUES (?, ?)');
  for (let number = 0; number < FILES; number += 1) {
    const bytes = randomBytes(FILE_BYTES);
    const name = `${number.toString(16).padStart(40, '0')}.jpg`;
    named.run(name, createHash('sha256').update(bytes).digest('hex'));
    stored.run(name, bytes);
  }
  backup.exec('COMMIT');
  backup.close();
}

test('rehearses a restore of 10,000 records and 2 GB within a minute and 350 MB', { timeout: 600_000 }, async () => {
  const { admin, dataDir } = await signedIn();
  await admin.post(partners.endpoints.create, formOf(valuesFor(partners.fields), await filesFor(partners)));
  const file = join(await freshFolder(), 'voltdesk-2026-11-28T12-00-00-000Z.voltdesk');
  await backUp(dataDir, file);
  fill(file);
  const begun = performance.now();
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', './tests/server/print-peak.ts', 'server/cli.ts', 'restore', file, '--rehearse'],
    { env: { ...process.env, DATA_DIR: dataDir, BACKUP_KEY: '' }, encoding: 'utf8' },
  );
  const seconds = (performance.now() - begun) / 1000;
  const megabytes = Number(/peak (\d+)/.exec(stderr)?.[1]) / 1000;
  console.log(`Rehearsal of ${RECORDS} records and 2 GB: ${seconds.toFixed(1)} s, ${megabytes.toFixed(0)} MB`);
  expect(stdout).toContain(`partners: ${RECORDS - 1} would come back, 0 be gone, 0 change`);
  expect(seconds).toBeLessThan(MOST_SECONDS);
  expect(megabytes).toBeLessThan(MOST_MEGABYTES);
});
