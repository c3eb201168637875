import { type ChildProcess, fork } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './ports.ts';
import { environmentOf, type Server, type ServerOptions } from './server.ts';
import { ServerData } from './server-data.ts';
import type { Order, Report } from './server-host.ts';

type Unnumbered = Omit<Order, 'number'>;

/** The process that runs the hosted servers of a test worker. */
export class ServerHost {
  readonly #process: ChildProcess;
  readonly #answers = new Map<number, (failure: string | undefined) => void>();
  readonly #logs = new Map<number, (log: string) => void>();
  #orders = 0;

  private constructor(child: ChildProcess) {
    this.#process = child;
    child.on('message', (report: Report) => this.#receive(report));
    child.on('exit', () => {
      for (const answer of this.#answers.values()) answer('The process of the servers has ended.');
    });
  }

  static start(): ServerHost {
    const options = { execArgv: ['--import', './server/require-node.js'], env: { ...process.env } };
    return new ServerHost(fork('tests/harness/server-host.ts', options));
  }

  /** Resolves once it is carried out. */
  async carryOut(order: Unnumbered): Promise<void> {
    this.#orders += 1;
    const number = this.#orders;
    const failure = await new Promise<string | undefined>((resolve) => {
      this.#answers.set(number, resolve);
      this.#process.send({ ...order, number } satisfies Order);
    });
    this.#answers.delete(number);
    if (failure !== undefined) throw new Error(failure);
  }

  /** Calls `read` with whatever the server on this port writes to its log. */
  follow(port: number, read: (log: string) => void): void {
    this.#logs.set(port, read);
  }

  end(): void {
    this.#process.kill('SIGKILL');
  }

  #receive(report: Report): void {
    if ('port' in report) this.#logs.get(report.port)?.(report.log);
    else this.#answers.get(report.number)?.(report.failure);
  }
}

/** This repository's server with an embedded database, in the process of a host. */
export class HostedServer implements Server {
  readonly port: number;
  readonly dataDir = mkdtempSync(join(tmpdir(), 'voltdesk-data-'));
  log = '';
  readonly #host: ServerHost;
  readonly #options: ServerOptions;

  private constructor(host: ServerHost, port: number, options: ServerOptions) {
    this.#host = host;
    this.port = port;
    this.#options = options;
    host.follow(port, (log) => (this.log += log));
  }

  /** Starts a server on a free port, with a copy of this data folder, if any. Resolves when it answers. */
  static async start(
    host: ServerHost,
    prepared: string | undefined,
    options: ServerOptions = {},
  ): Promise<HostedServer> {
    const server = new HostedServer(host, await freePort(), options);
    if (prepared !== undefined) cpSync(prepared, server.dataDir, { recursive: true });
    await server.start();
    return server;
  }

  get origin(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get data(): ServerData {
    return new ServerData(this.dataDir);
  }

  async start(options = this.#options): Promise<void> {
    await this.#host.carryOut({ port: this.port, environment: environmentOf(this, options) });
  }

  async stop(): Promise<void> {
    await this.#host.carryOut({ port: this.port });
  }

  /** Ends it at once and removes its data. */
  async remove(): Promise<void> {
    await this.#host.carryOut({ port: this.port, atOnce: true });
    rmSync(this.dataDir, { recursive: true, force: true });
  }
}
