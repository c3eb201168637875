import './require-node.js';
import { resolve } from 'node:path';
import { explainFailure } from './messages.ts';
import { packRelease, stageRelease } from './ops/release.ts';
import { readSettings } from './settings.ts';

const USAGE = 'npm run release              an archive in releases/\nnpm run release -- --to DIR  a folder';

try {
  const [option, folder, ...rest] = process.argv.slice(2);
  if ((option !== undefined && option !== '--to') || (option === '--to' && !folder) || rest.length > 0) {
    throw new Error(USAGE);
  }
  const { appDir } = readSettings(process.env);
  if (folder === undefined) console.log(`Wrote ${packRelease(appDir, resolve('releases'))}.`);
  else console.log(`Wrote the release to ${stageRelease(appDir, resolve(folder))}.`);
} catch (error) {
  explainFailure(error);
}
