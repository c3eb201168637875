import { accessSync, constants, mkdirSync } from 'node:fs';

/** What is kept is for this user alone: other accounts of the machine have no business with it. */
export const OWN_ONLY = 0o600;

/** Makes the data folder when it is missing. Throws, in words, when this user may not write to it. */
export function prepareDataFolder(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true });
    accessSync(dataDir, constants.W_OK);
  } catch (cause) {
    throw new Error(`The data folder ${dataDir} cannot be written to. DATA_DIR names another one.`, { cause });
  }
}
