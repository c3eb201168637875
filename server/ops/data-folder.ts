import { accessSync, constants, mkdirSync } from 'node:fs';

/** File mode that keeps other accounts of the machine out. */
export const OWN_ONLY = 0o600;
/** The same for a folder. */
export const OWN_FOLDER = 0o700;

/** Creates the data folder if it is missing. Throws a readable error if this user may not write to it. */
export function prepareDataFolder(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true, mode: OWN_FOLDER });
    accessSync(dataDir, constants.W_OK);
  } catch (cause) {
    throw new Error(`The data folder ${dataDir} cannot be written to. DATA_DIR names another one.`, { cause });
  }
}
