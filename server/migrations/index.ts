import { readdir } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Migration } from 'kysely/migration';

/**
 * Every step of the database's shape, in order: the files of this folder whose names begin with a number. A step that was released
 * is never changed: a new one follows it.
 */
export async function readMigrations(folder: URL = new URL('.', import.meta.url)): Promise<Record<string, Migration>> {
  const files = (await readdir(folder)).filter((name) => /^\d{3}-.+\.ts$/.test(name)).toSorted();
  const steps = files.map(async (name) => [basename(name, '.ts'), await import(new URL(name, folder).href)] as const);
  return Object.fromEntries(await Promise.all(steps));
}
