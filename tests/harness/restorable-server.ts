import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { buildApp, type Overrides } from '../../server/app.ts';
import { backUp } from '../../server/commands/backup.ts';
import { restore } from '../../server/commands/restore.ts';
import { readSettings } from '../../server/settings/settings.ts';
import { issueToken } from '../../server/stores/sql/tokens.ts';
import { addUser } from '../../server/stores/sql/users.ts';
import { injectRequest } from './inject-request.ts';
import { CHEAP, copyPreparedData, SETTINGS } from './prepared-data.ts';

/** The real server on a data folder of its own, which can lose its disk and get an older one back. */
export class RestorableServer {
  readonly #dataDir: string;
  readonly #overrides: Overrides;
  #app: FastifyInstance;
  #copies = 0;

  private constructor(dataDir: string, overrides: Overrides, app: FastifyInstance) {
    this.#dataDir = dataDir;
    this.#overrides = overrides;
    this.#app = app;
  }

  static async open(overrides: Overrides = {}): Promise<RestorableServer> {
    const dataDir = join(await mkdtemp(join(tmpdir(), 'voltdesk-restorable-')), 'data');
    await copyPreparedData(dataDir);
    return new RestorableServer(dataDir, overrides, await start(dataDir, overrides));
  }

  get services(): FastifyInstance['services'] {
    return this.#app.services;
  }

  /** Adds a user. Returns the id. */
  async addUser(name: string): Promise<number> {
    const email = `${name.toLowerCase()}@example.com`;
    await addUser(this.services, { name, email, password: 'three brown horses', at: '2026-01-01T00:00:00.000Z' });
    const user = this.services.db.selectFrom('users').select('id').where('email', '=', email);
    return (await user.executeTakeFirstOrThrow()).id;
  }

  /** Signs a user in, without a password. */
  signIn(userId: number, device = 'Chrome on Android'): Promise<string> {
    return issueToken(this.services, userId, { device, address: '127.0.0.1' });
  }

  handle(request: Request): Promise<Response> {
    return injectRequest(this.#app, request);
  }

  /** Makes a verified backup while the server runs. Returns its file. */
  async backUp(): Promise<string> {
    const file = this.#next('backup', '.voltdesk');
    await backUp(this.#dataDir, file);
    return file;
  }

  /** Copies the whole disk, as a provider's snapshot. Returns its folder. */
  async snapshot(): Promise<string> {
    const folder = this.#next('snapshot');
    await this.#stopped(() => cp(this.#dataDir, folder, { recursive: true }));
    return folder;
  }

  /** Loses everything since a backup. */
  async restore(file: string): Promise<void> {
    await this.#stopped(async () => void (await restore({ dataDir: this.#dataDir, file, now: Date.now() })));
  }

  /** Loses everything since a snapshot. Ids are given again. */
  async putBack(folder: string): Promise<void> {
    await this.#stopped(async () => {
      await rm(this.#dataDir, { recursive: true });
      await cp(folder, this.#dataDir, { recursive: true });
    });
  }

  restart(): Promise<void> {
    return this.#stopped(async () => undefined);
  }

  async close(): Promise<void> {
    await this.#app.close();
    await rm(join(this.#dataDir, '..'), { recursive: true, force: true });
  }

  #next(name: string, suffix = ''): string {
    this.#copies += 1;
    return join(this.#dataDir, '..', `${name}-${this.#copies}${suffix}`);
  }

  async #stopped(work: () => Promise<void>): Promise<void> {
    await this.services.sizes.done();
    await this.#app.close();
    await work();
    this.#app = await start(this.#dataDir, this.#overrides);
  }
}

function start(dataDir: string, overrides: Overrides): Promise<FastifyInstance> {
  return buildApp(readSettings({ ...SETTINGS, DATA_DIR: dataDir }), { passwordCost: CHEAP, ...overrides });
}
