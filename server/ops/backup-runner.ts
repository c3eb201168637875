import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { BackupPlaceKind, BackupProgress, BackupWork, Rehearsal } from '../../src/domain/protocol/backups.ts';
import type { Settings } from '../settings/settings.ts';

/** Work that takes longer is ended, and counts as failed. Files dropped during a backup are held for as long. Milliseconds. */
const LONGEST = 6 * 60 * 60 * 1000;

/** The settings that backups depend on. */
export type BackupSettings = Pick<
  Settings,
  'dataDir' | 'databaseUrl' | 'uploadsUrl' | 'backupDir' | 'backupUrl' | 'backupKeep' | 'backupEveryHours' | 'backupKey'
>;

/**
 * Makes backups and rehearses restores, one at a time. Each runs in its own process, because it reads every file and must not delay
 * requests.
 */
export class BackupRunner {
  readonly #settings: BackupSettings;
  #child: ChildProcess | undefined;
  #work: BackupWork = {};

  constructor(settings: BackupSettings) {
    this.#settings = settings;
  }

  /** What runs now, and how the last of it ended. */
  get work(): BackupWork {
    return this.#work;
  }

  get isBusy(): boolean {
    return this.#child !== undefined;
  }

  /** Makes a backup in every place. Resolves to why it failed, or undefined. Only while nothing runs. */
  async backUp(): Promise<string | undefined> {
    const { backupDir, backupUrl, backupKeep } = this.#settings;
    const places = [backupDir, backupUrl].filter((place) => place !== '').flatMap((place) => ['--to', place]);
    const failure = await this.#run('backup', ['backup', ...places, '--keep', String(backupKeep), '--steps']);
    return failure;
  }

  /** Rehearses the restore of a backup. Its result is part of `work`. Only while nothing runs. */
  async rehearse(name: string, place: BackupPlaceKind): Promise<void> {
    const { backupDir, backupUrl } = this.#settings;
    const only = { BACKUP_DIR: place === 'folder' ? backupDir : '', BACKUP_URL: place === 'bucket' ? backupUrl : '' };
    let result: Rehearsal | undefined;
    const failure = await this.#run('rehearsal', ['restore', name, '--rehearse', '--steps'], only, (line) => {
      ({ result } = line);
    });
    if (failure !== undefined || result === undefined) return;
    this.#work = { ...this.#work, rehearsal: { name, place, result, command: `npm run restore -- ${name}` } };
  }

  /** Ends what runs. */
  close(): void {
    this.#child?.kill();
  }

  async #run(
    what: 'backup' | 'rehearsal',
    words: readonly string[],
    environment: Readonly<Record<string, string>> = {},
    onResult: (line: { readonly result: Rehearsal }) => void = () => undefined,
  ): Promise<string | undefined> {
    const { rehearsal } = this.#work;
    const kept = what === 'backup' && rehearsal !== undefined ? { rehearsal } : {};
    this.#work = { ...kept, running: { what, step: 'start' } };
    this.#child = start(this.#settings, words, environment);
    const failure = await outcomeOf(this.#child, (line) => {
      if ('result' in line) onResult(line);
      else this.#work = { ...kept, running: { what, ...line } };
    });
    this.#child = undefined;
    this.#work = { ...kept, ...(failure === undefined ? {} : { failure }) };
    return failure;
  }
}

function start(
  { dataDir, databaseUrl, uploadsUrl, backupKey }: BackupSettings,
  words: readonly string[],
  environment: Readonly<Record<string, string>>,
): ChildProcess {
  const command = fileURLToPath(new URL('../cli.ts', import.meta.url));
  const env = {
    ...process.env,
    DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl,
    UPLOADS_URL: uploadsUrl,
    BACKUP_KEY: backupKey,
    ...environment,
  };
  return spawn(process.execPath, [command, ...words], { env, timeout: LONGEST, stdio: ['ignore', 'pipe', 'pipe'] });
}

type Line = BackupProgress | { readonly result: Rehearsal };

/** Passes on the lines of a child. Resolves to its error output if it failed. */
async function outcomeOf(child: ChildProcess, onLine: (line: Line) => void): Promise<string | undefined> {
  const ended = once(child, 'close').catch((error: Error) => [error.message]);
  if (child.stdout !== null)
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (line.startsWith('{')) onLine(JSON.parse(line) as Line);
    });
  const said = child.stderr === null ? '' : await text(child.stderr);
  const [code] = (await ended) as [number | string | null];
  return code === 0 ? undefined : said.trim() || `it ended with ${code}`;
}
