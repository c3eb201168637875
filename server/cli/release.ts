import { resolve } from 'node:path';
import { packRelease, stageRelease } from '../ops/release.ts';
import { readSettings } from '../settings/settings.ts';

const USAGE = 'npm run release              an archive in releases/\nnpm run release -- --to DIR  a folder';

/** Packs what an installation needs, built, into an archive or a folder. Throws readable errors. */
export async function run(words: readonly string[]): Promise<void> {
  const [option, folder, ...rest] = words;
  if ((option !== undefined && option !== '--to') || (option === '--to' && !folder) || rest.length > 0) {
    throw new Error(USAGE);
  }
  const { appDir } = readSettings(process.env);
  if (folder === undefined) console.log(`Wrote ${packRelease(appDir, resolve('releases'))}.`);
  else console.log(`Wrote the release to ${stageRelease(appDir, resolve(folder))}.`);
}
