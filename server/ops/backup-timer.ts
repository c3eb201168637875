import type { FastifyInstance } from 'fastify';
import type { BackupRunner } from './backup-runner.ts';
import type { BackupNotes } from './last-backup.ts';

/** Milliseconds. */
const LOOKED_AT_EVERY = 10 * 60 * 1000;
const HOUR = 60 * 60 * 1000;

/**
 * Makes backups at the configured interval while the server listens, counted from the latest one across restarts and commands.
 * Retries a failed backup after an hour.
 */
export function backUpOnTime(
  app: FastifyInstance,
  everyHours: number,
  { runner, notes }: { readonly runner: BackupRunner; readonly notes: BackupNotes },
): void {
  let failedAt: number | undefined;
  const look = async () => {
    // a claim that cannot be renewed now is renewed at the next check
    if (runner.isBusy) return notes.keepClaim().catch(() => undefined);
    if (failedAt !== undefined && performance.now() - failedAt < HOUR) return;
    // unknown while the database is unreachable
    if (!(await notes.claim(everyHours * HOUR).catch(() => false))) return;
    // somebody has asked for one meanwhile
    if (runner.isBusy) return;
    const problem = await runner.backUp();
    if (problem === undefined) return app.log.info('backup made');
    failedAt = performance.now();
    app.log.error(`backup failed: ${problem}`);
  };
  app.addHook('onListen', () => void look());
  const timer = setInterval(look, LOOKED_AT_EVERY).unref();
  app.addHook('onClose', async () => clearInterval(timer));
}
