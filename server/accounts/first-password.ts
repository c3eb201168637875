import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { OWN_ONLY } from '../ops/data-folder.ts';

/** The file with the generated first password, readable only by the user who runs the server. */
function pathIn(dataDir: string): string {
  return join(dataDir, 'first-password.txt');
}

/** Stores the generated password. Returns the path. */
export function keepFirstPassword(dataDir: string, password: string): string {
  writeFileSync(pathIn(dataDir), `${password}\n`, { mode: OWN_ONLY });
  return pathIn(dataDir);
}

/** Removes the stored password after it has been changed. */
export function forgetFirstPassword(dataDir: string): void {
  rmSync(pathIn(dataDir), { force: true });
}
