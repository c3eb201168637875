import { appendFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { OWN_ONLY, prepareDataFolder } from './data-folder.ts';

/** An administrative command, which the server's own log does not see. */
interface CommandAudit {
  /** The command, `reset-password`, say. */
  readonly audit: string;
  /** The administrator's e-mail. */
  readonly who: string;
  /** Epoch milliseconds. */
  readonly time: number;
}

/** Appends a line to `audit.log` in the data folder, readable only by this user: who on this machine did what to whom. Never a password. */
export async function noteCommand(dataDir: string, { audit, who, time }: CommandAudit): Promise<void> {
  const by = process.env['SUDO_USER'] ?? accountName();
  const line = JSON.stringify({ time: new Date(time).toISOString(), audit: `command ${audit}`, who, by });
  // with a database elsewhere, a command may be the first to need the folder
  prepareDataFolder(dataDir);
  await appendFile(join(dataDir, 'audit.log'), `${line}\n`, { mode: OWN_ONLY });
}

/** The name of this account, or its number: containers have accounts without a name. */
function accountName(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.());
  }
}
