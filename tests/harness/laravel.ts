import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** Debian's packages of a genuine Laravel. */
export const LARAVEL_PACKAGES = [
  'php-cli',
  'php-laravel-framework',
  'php-sqlite3',
  'php-xml',
  'php-mbstring',
  'php-gd',
];

const APPLICATION = join(import.meta.dirname, 'laravel');
const INI = { max_file_uploads: '20', post_max_size: '12M', upload_max_filesize: '10M', display_errors: '0' };

/** What a genuine Laravel does otherwise than usual (`tests/harness/laravel/Fate.php`). */
export interface LaravelHabits {
  /** Pictures are encoded anew when they are stored. */
  readonly reencodes?: boolean;
  /** The worker of the next change is killed after so many queries, stored files and commits. */
  readonly diesAt?: number;
}

/** A genuine Laravel of the contract in processes of its own. A worker that is killed is replaced. */
export interface Laravel {
  readonly origin: string;
  /** Every table and file as after the installation. */
  readonly reset: () => void;
  readonly plan: (habits: LaravelHabits) => void;
  /** Signs the administrator in and returns the token. */
  readonly signIn: () => Promise<string>;
  readonly close: () => Promise<void>;
}

/** True if PHP, its modules and the framework are there. */
export function hasLaravel(): boolean {
  const needed = "exit(array_diff(['pdo_sqlite','gd','mbstring','dom','posix'], get_loaded_extensions()) ? 1 : 0);";
  const isThere = existsSync('/usr/share/php/Illuminate/Foundation/Application.php');
  return isThere && spawnSync('php', ['-r', needed], { stdio: 'ignore' }).status === 0;
}

/** Installs a Laravel in a folder of its own and serves it. `withVoltdesk`: with the middleware of `integrations/laravel`. */
export async function startLaravel({ withVoltdesk }: { readonly withVoltdesk: boolean }): Promise<Laravel> {
  if (!hasLaravel()) throw new Error(`Laravel is missing. On Debian: apt-get install ${LARAVEL_PACKAGES.join(' ')}`);
  const folder = mkdtempSync(join(tmpdir(), 'voltdesk-laravel-'));
  const [data, fresh] = [join(folder, 'data'), join(folder, 'fresh.sqlite')];
  const env = { ...process.env, LARAVEL_DATA: data, LARAVEL_WITH_VOLTDESK: withVoltdesk ? '1' : '0' };
  mkdirSync(data);
  const made = spawnSync('php', [join(APPLICATION, 'install.php')], { env, encoding: 'utf8' });
  if (made.status !== 0) throw new Error(`Laravel was not installed: ${made.stdout}${made.stderr}`);
  copyFileSync(join(data, 'database.sqlite'), fresh);
  const port = await freePort();
  let isClosing = false;
  let worker: ChildProcess | undefined;
  const begin = () => {
    const settings = Object.entries(INI).flatMap(([name, value]) => ['-d', `${name}=${value}`]);
    const args = [...settings, '-S', `127.0.0.1:${port}`, join(APPLICATION, 'index.php')];
    worker = spawn('php', args, { env, stdio: 'ignore' });
    worker.once('exit', () => isClosing || begin());
  };
  begin();
  await untilThere(port);
  const origin = `http://127.0.0.1:${port}`;
  return {
    origin,
    reset() {
      rmSync(join(data, 'database.sqlite-journal'), { force: true });
      copyFileSync(fresh, join(data, 'database.sqlite'));
      rmSync(join(data, 'public/uploads'), { recursive: true });
      mkdirSync(join(data, 'public/uploads'));
      writeFileSync(join(data, 'habits.json'), '{}');
    },
    plan: (habits) => writeFileSync(join(data, 'habits.json'), JSON.stringify(habits)),
    signIn: () => signIn(origin),
    async close() {
      isClosing = true;
      const ended = worker && once(worker, 'exit');
      worker?.kill();
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function signIn(origin: string): Promise<string> {
  const answer = await fetch(`${origin}/api/auth/login`, {
    method: 'POST',
    headers: { accept: 'application/json', 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'admin@example.com', password: 'password' }),
  });
  return ((await answer.json()) as { token: string }).token;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

async function untilThere(port: number): Promise<void> {
  for (;;) {
    const socket = connect(port, '127.0.0.1');
    const isThere = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (isThere) return;
    await pause(20);
  }
}
