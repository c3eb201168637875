import { readdir } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Migration } from 'kysely/migration';

/**
 * All migrations in order: the files of this folder whose names begin with a number. A released migration never changes; a
 * new one follows it.
 */
export async function readMigrations(folder: URL = new URL('.', import.meta.url)): Promise<Record<string, Migration>> {
  const files = (await readdir(folder)).filter((name) => /^\d{3}-.+\.ts$/.test(name)).toSorted();
  const steps = files.map(async (name) => [basename(name, '.ts'), await import(new URL(name, folder).href)] as const);
  return Object.fromEntries(await Promise.all(steps));
}
