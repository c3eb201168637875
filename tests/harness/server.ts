import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { COMPILE_CACHE } from './compile-cache.ts';
import { freePort } from './ports.ts';
import { ServerData } from './server-data.ts';

export const ADMINISTRATOR = {
  name: 'Test Administrator',
  email: 'admin@voltdesk.test',
  password: 'a long pass phrase for tests',
} as const;

export interface ServerOptions {
  /** The folder of the built app. */
  readonly appDir?: string;
  /** Additional or overriding settings, as environment variables. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** This repository's server, with a data folder that survives restarts. */
export interface Server {
  readonly port: number;
  readonly origin: string;
  readonly dataDir: string;
  /** The stored rows, images and files. Read from disk, not through the server. */
  readonly data: ServerData;
  /** Its log, for a test that fails. */
  readonly log: string;
  /** Restarts it on the same data. `options` replace the first ones (a newer app, for example). */
  start(options?: ServerOptions): Promise<void>;
  /** Ends it as an operator does. */
  stop(): Promise<void>;
}

/** This repository's server as a separate process, with a data folder that survives restarts. */
export class TestServer implements Server {
  readonly port: number;
  readonly dataDir = mkdtempSync(join(tmpdir(), 'voltdesk-data-'));
  log = '';
  readonly #options: ServerOptions;
  #process: ChildProcess | undefined;

  private constructor(port: number, options: ServerOptions) {
    this.port = port;
    this.#options = options;
  }

  /** Starts a new server on a free port, with an administrator and no records. Resolves when it answers. */
  static async start(options: ServerOptions = {}): Promise<TestServer> {
    const server = new TestServer(await freePort(), options);
    const prepared = process.env['PREPARED_DATA'];
    if (prepared !== undefined && fitsPrepared(options)) cpSync(prepared, server.dataDir, { recursive: true });
    await server.start();
    return server;
  }

  /** Its process id, while it runs. */
  get pid(): number {
    if (this.#process?.pid === undefined) throw new Error('The server does not run.');
    return this.#process.pid;
  }

  get origin(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get data(): ServerData {
    return new ServerData(this.dataDir);
  }

  async start(options = this.#options): Promise<void> {
    const child = spawn(process.execPath, ['--import', './server/require-node.js', 'server/start.ts'], {
      env: { ...process.env, NODE_COMPILE_CACHE: COMPILE_CACHE, ...environmentOf(this, options) },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#process = child;
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (text: Buffer) => (this.log += text.toString()));
    await this.#answers(child);
  }

  async stop(): Promise<void> {
    await this.#end('SIGTERM');
  }

  /** Ends it as a power cut does. */
  async kill(): Promise<void> {
    await this.#end('SIGKILL');
  }

  /** Stops it and removes its data. */
  async remove(): Promise<void> {
    await this.kill();
    rmSync(this.dataDir, { recursive: true, force: true });
  }

  async #answers(child: ChildProcess): Promise<void> {
    while (child.exitCode === null && child.signalCode === null) {
      const answer = await fetch(`${this.origin}/settings.json`).catch(() => undefined);
      if (answer?.ok) return;
      await sleep(25);
    }
    throw new Error(`The server ended before it answered:\n${this.log}`);
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#process;
    this.#process = undefined;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
  }
}

/** The settings of a server of tests, as environment variables. */
export function environmentOf(
  { port, dataDir }: { readonly port: number; readonly dataDir: string },
  { appDir, settings }: ServerOptions,
): Record<string, string> {
  return {
    HOST: '127.0.0.1',
    PORT: String(port),
    DATA_DIR: dataDir,
    APP_DIR: appDir ?? process.env['E2E_APP_DIR'] ?? 'dist',
    ADMIN_EMAIL: ADMINISTRATOR.email,
    ADMIN_PASSWORD: ADMINISTRATOR.password,
    ADMIN_NAME: ADMINISTRATOR.name,
    LOG_LEVEL: 'warn',
    ...settings,
  };
}

/** False for a server whose records are elsewhere or whose first administrator is another one. */
export function fitsPrepared({ settings = {} }: ServerOptions): boolean {
  return !Object.keys(settings).some((name) => /^(ADMIN_|API_URL$|DATABASE_URL$)/.test(name));
}
