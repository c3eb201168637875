import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import type { Settings } from '../settings/settings.ts';
import type { BackupNotes } from './last-backup.ts';

/** Milliseconds. */
const LOOKED_AT_EVERY = 10 * 60 * 1000;
const HOUR = 60 * 60 * 1000;
/** A backup that takes longer is ended, and counts as failed. Files dropped meanwhile are held for as long. */
const LONGEST = 6 * HOUR;

type BackupSettings = Pick<
  Settings,
  'dataDir' | 'databaseUrl' | 'uploadsUrl' | 'backupDir' | 'backupUrl' | 'backupKeep' | 'backupEveryHours' | 'backupKey'
>;

/**
 * Makes backups at the configured interval while the server listens, counted from the latest one across restarts and commands.
 * Retries a failed backup after an hour. Each runs in its own process, because it reads every file and must not delay requests.
 */
export function backUpOnTime(app: FastifyInstance, settings: BackupSettings, notes: BackupNotes): void {
  let running: ChildProcess | undefined;
  let failedAt: number | undefined;
  const look = async () => {
    // a claim that cannot be renewed now is renewed at the next check
    if (running !== undefined) return notes.keepClaim().catch(() => undefined);
    if (failedAt !== undefined && performance.now() - failedAt < HOUR) return;
    // unknown while the database is unreachable
    if (!(await notes.claim(settings.backupEveryHours * HOUR).catch(() => false))) return;
    running = startBackup(settings);
    const problem = await problemOf(running);
    running = undefined;
    if (problem === undefined) return app.log.info('backup made');
    failedAt = performance.now();
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
  backupUrl,
  backupKeep,
  backupKey,
}: BackupSettings): ChildProcess {
  const command = fileURLToPath(new URL('../cli.ts', import.meta.url));
  const env = {
    ...process.env,
    DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl,
    UPLOADS_URL: uploadsUrl,
    BACKUP_KEY: backupKey,
  };
  const places = [backupDir, backupUrl].filter((place) => place !== '').flatMap((place) => ['--to', place]);
  const words = [command, 'backup', ...places, '--keep', String(backupKeep)];
  return spawn(process.execPath, words, { env, timeout: LONGEST, stdio: ['ignore', 'ignore', 'pipe'] });
}

/** The error output of a failed backup. */
async function problemOf(backup: ChildProcess): Promise<string | undefined> {
  const ended = once(backup, 'close').catch((error: Error) => [error.message]);
  const said = backup.stderr === null ? '' : await text(backup.stderr);
  const [code] = (await ended) as [number | string | null];
  return code === 0 ? undefined : said.trim() || `it ended with ${code}`;
}
