import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where a made-up first password is for whoever runs the server, and nobody else on the machine. */
function pathIn(dataDir: string): string {
  return join(dataDir, 'first-password.txt');
}

/** Writes a made-up password down; answers the path. */
export function keepFirstPassword(dataDir: string, password: string): string {
  writeFileSync(pathIn(dataDir), `${password}\n`, { mode: 0o600 });
  return pathIn(dataDir);
}

/** Removes it: a password was changed. */
export function forgetFirstPassword(dataDir: string): void {
  rmSync(pathIn(dataDir), { force: true });
}
