import { copyFile, mkdir, readdir, rename, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { type AppFile, appFiles, isHashed } from '../protocol/app-files.ts';
import { exists, fileNames, realDisk } from '../uploads/disk.ts';

/**
 * The hashed files of apps that were served before. A page that was opened before an update asks for its screens by their old
 * names, so these are kept for a week, in the data folder: a new release, and a new image of a container, bring only their own.
 */
export interface EarlierAppFiles {
  /** The file at that path, as `AppFile.path` has it; undefined when it is none of the kept ones. */
  find(path: string): Promise<AppFile | undefined>;
  /** Notes which app is served now: called at the start, when the page has changed, and every hour. */
  note(): Promise<void>;
}

/** In milliseconds, and an hour for the precision of the notes. */
const KEPT_FOR = (7 * 24 + 1) * 60 * 60 * 1000;
const ASSETS = 'assets';

/** `folder` is where they are kept; a file's time there is when it was last part of the app. */
export function earlierAppFiles(appDir: string, folder: string, now: () => number): EarlierAppFiles {
  const files = appFiles(folder);
  const kept = join(folder, ASSETS);
  return {
    find: async (path) => (isHashed(path) ? files.find(path) : undefined),
    async note() {
      await mkdir(kept, { recursive: true });
      for (const name of await hashedIn(join(appDir, ASSETS))) await keep(join(appDir, ASSETS, name), join(kept, name));
      for (const name of await readdir(kept)) await removeOld(join(kept, name));
    },
  };

  async function keep(from: string, to: string): Promise<void> {
    if (!(await exists(to))) {
      await copyFile(from, `${to}.part`);
      await rename(`${to}.part`, to);
    }
    await utimes(to, now() / 1000, now() / 1000);
  }

  async function removeOld(path: string): Promise<void> {
    if ((await stat(path)).mtimeMs < now() - KEPT_FOR) await realDisk.remove(path);
  }
}

/** Source maps are not among them, which nobody's page needs. */
async function hashedIn(assets: string): Promise<string[]> {
  return (await fileNames(assets)).filter((name) => isHashed(`/${ASSETS}/${name}`));
}
