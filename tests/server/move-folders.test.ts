import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openInstallation } from '../../server/commands/installation.ts';
import { move } from '../../server/commands/move.ts';
import { generators } from '../../src/domain/resources/generators.ts';
import { formOf, freshFolder, signedIn } from './harness.ts';
import { filesFor, sha256, valuesFor } from './samples.ts';

/** A stopped installation with so many records, of three files each. */
async function stopped(records: number) {
  const { admin, app, dataDir } = await signedIn();
  for (let n = 0; n < records; n += 1) {
    const form = formOf(valuesFor(generators.fields), await filesFor(generators, `mark ${n}`));
    await admin.post(generators.endpoints.create, form);
  }
  const files = await app.services.db.selectFrom('files').select(['name', 'sha256']).orderBy('name').execute();
  await app.services.sizes.done();
  await app.close();
  return { dataDir, files };
}

async function moved(dataDir: string) {
  const target = await freshFolder();
  const said: string[] = [];
  const from = await openInstallation(`sqlite:${dataDir}`, { isThere: true });
  const to = await openInstallation(`sqlite:${target}`, { isThere: false });
  const report = await move(from, to, (words) => said.push(words)).finally(async () => {
    await to.close();
    await from.close();
  });
  return { target, said, report };
}

test('moves every file between two folders, however many there are, and says how far it is', async () => {
  const { dataDir, files } = await stopped(7);
  expect(files).toHaveLength(21);
  const { target, said, report } = await moved(dataDir);
  expect(report).toMatchObject({ files: 21, differences: [] });
  expect(said).toEqual([
    `Moving 21 files from ${dataDir} to ${target}.`,
    'Moving the records.',
    `Comparing ${report.rows} rows and 21 files.`,
  ]);
  for (const { name, sha256: hash } of files) {
    expect(sha256(await readFile(join(target, 'uploads', name)))).toBe(hash);
    expect(sha256(await readFile(join(dataDir, 'uploads', name)))).toBe(hash);
  }
});

test('moves what is sound beside what is missing or damaged, counts it, and names the others', async () => {
  const { dataDir, files } = await stopped(2);
  const [missing, damaged] = files.map(({ name }) => name) as [string, string];
  await rm(join(dataDir, 'uploads', missing));
  await writeFile(join(dataDir, 'uploads', damaged), 'damaged');
  const { target, report } = await moved(dataDir);
  expect(report.files).toBe(4);
  expect(report.differences).toEqual(
    [missing, damaged].map((name) => `file ${name}: missing or damaged in ${dataDir}`),
  );
  expect(await readdir(join(target, 'uploads'))).not.toContain(missing);
});
