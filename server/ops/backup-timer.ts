import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import type { FastifyInstance } from 'fastify';
import type { Settings } from '../settings.ts';
import type { BackupNotes } from './last-backup.ts';

/** In milliseconds. */
const LOOKED_AT_EVERY = 10 * 60 * 1000;
const HOUR = 60 * 60 * 1000;

type BackupSettings = Pick<
  Settings,
  'dataDir' | 'databaseUrl' | 'uploadsUrl' | 'backupDir' | 'backupKeep' | 'backupEveryHours' | 'backupKey'
>;

/**
 * Makes backups while the server listens, as often as the settings say: counted from the newest one, also over restarts, and also
 * from one that a command made. One that fails is tried again an hour later. Each runs in a process of its own: it reads every
 * file there is, and nobody is to wait for that.
 */
export function backUpOnTime(app: FastifyInstance, settings: BackupSettings, notes: BackupNotes): void {
  let running: ChildProcess | undefined;
  let failedAt = 0;
  const look = async () => {
    // a claim that cannot be kept now is kept with the next look
    if (running !== undefined) return notes.keepClaim().catch(() => undefined);
    if (Date.now() - failedAt < HOUR) return;
    // nobody can tell while the database is away
    if (!(await notes.claim(settings.backupEveryHours * HOUR).catch(() => false))) return;
    running = startBackup(settings);
    const problem = await problemOf(running);
    running = undefined;
    if (problem === undefined) return app.log.info('backup made');
    failedAt = Date.now();
    app.log.error(`backup failed: ${problem}`);
  };
  app.addHook('onListen', () => void look());
  const timer = setInterval(look, LOOKED_AT_EVERY).unref();
  app.addHook('onClose', async () => {
    clearInterval(timer);
    running?.kill();
  });
}

function startBackup({
  dataDir,
  databaseUrl,
  uploadsUrl,
  backupDir,
  backupKeep,
  backupKey,
}: BackupSettings): ChildProcess {
  const command = new URL('../backup.ts', import.meta.url).pathname;
  const env = {
    ...process.env,
    DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl,
    UPLOADS_URL: uploadsUrl,
    BACKUP_KEY: backupKey,
  };
  const words = [command, '--to', backupDir, '--keep', String(backupKeep)];
  return spawn(process.execPath, words, { env, stdio: ['ignore', 'ignore', 'pipe'] });
}

/** What a backup said when it failed. */
async function problemOf(backup: ChildProcess): Promise<string | undefined> {
  const ended = once(backup, 'close').catch((error: Error) => [error.message]);
  const said = backup.stderr === null ? '' : await text(backup.stderr);
  const [code] = (await ended) as [number | string | null];
  return code === 0 ? undefined : said.trim() || `it ended with ${code}`;
}
