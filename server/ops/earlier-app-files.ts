import { chmod, copyFile, readdir, rename, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { OWN_ONLY } from './data-folder.ts';
import { type AppFile, appFiles, isHashed } from '../protocol/app-files.ts';
import { exists, fileNames, makeFolder, realDisk } from '../uploads/disk.ts';

/**
 * The hashed files of earlier builds. A page opened before an update requests its screens by their old names, so these stay in the
 * data folder for a week: a new release or container image contains only its own.
 */
export interface EarlierAppFiles {
  /** Returns the kept file at a path (see `AppFile.path`), or undefined. */
  find(path: string): Promise<AppFile | undefined>;
  /** Records the served build. Called at the start, when the page has changed, and every hour. */
  note(): Promise<void>;
}

/** One week, plus an hour for the precision of the records. Milliseconds. */
const KEPT_FOR = (7 * 24 + 1) * 60 * 60 * 1000;
const ASSETS = 'assets';

/** `folder` holds the files. A file's modification time is when it was last part of the app. */
export function earlierAppFiles(appDir: string, folder: string, now: () => number): EarlierAppFiles {
  const files = appFiles(folder);
  const kept = join(folder, ASSETS);
  return {
    find: async (path) => (isHashed(path) ? files.find(path) : undefined),
    async note() {
      await makeFolder(kept);
      for (const name of await hashedIn(join(appDir, ASSETS))) await keep(join(appDir, ASSETS, name), join(kept, name));
      for (const name of await readdir(kept)) await removeOld(join(kept, name));
    },
  };

  async function keep(from: string, to: string): Promise<void> {
    if (!(await exists(to))) {
      await copyFile(from, `${to}.part`);
      await rename(`${to}.part`, to);
    }
    // a copy has its original's mode, which is everybody's
    await chmod(to, OWN_ONLY);
    await utimes(to, now() / 1000, now() / 1000);
  }

  async function removeOld(path: string): Promise<void> {
    if ((await stat(path)).mtimeMs < now() - KEPT_FOR) await realDisk.remove(path);
  }
}

/** Lists hashed files without source maps, which no page needs. */
async function hashedIn(assets: string): Promise<string[]> {
  return (await fileNames(assets)).filter((name) => isHashed(`/${ASSETS}/${name}`));
}
