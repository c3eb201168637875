import type { ResourceName, ServerRecord } from '../../../src/domain/resource.ts';
import { resourceOf } from '../../../src/domain/resources/index.ts';
import { ContractOnlyBackend } from '../../harness/contract-only-server.ts';
import type { Habits } from '../../harness/contract-only/habits.ts';
import type { ServerSupply, ServerWorld, SimulatedServer, StoredRecord, WireAnswer, WireRequest } from './server.ts';

const ORIGIN = 'https://simulated.example';
const EMAILS: Readonly<Record<string, string>> = { '1': 'admin@example.com', '2': 'second@example.com' };

/** The double of the stock back end, a new one for every world. */
export const contractOnlyServers: ServerSupply = {
  fresh: async (world) => new ContractOnlyServer(world),
  close: async () => {},
};

/** The double as a server of a world. */
export class ContractOnlyServer implements SimulatedServer {
  readonly name = 'contract-only';
  readonly #backend: ContractOnlyBackend;

  constructor({ seed, now }: Pick<ServerWorld, 'seed' | 'now'>, habits: Habits = {}) {
    this.#backend = new ContractOnlyBackend({ seed, clock: now, habits });
  }

  async handle({ method, path, headers, body }: WireRequest): Promise<WireAnswer> {
    const request = new Request(`${ORIGIN}${path}`, { method, headers, body: body ?? null });
    const answer = await this.#backend.handle(request);
    return { status: answer.status, headers: answer.headers, body: new Uint8Array(await answer.arrayBuffer()) };
  }

  /** Signs in as a client does: first an anti-forgery cookie, then the password. */
  async signIn(user: string): Promise<string> {
    const cookies = await this.#cookies();
    const body = Buffer.from(JSON.stringify({ email: EMAILS[user], password: 'password' }));
    const headers = new Headers({ accept: 'application/json', 'content-type': 'application/json', ...cookies });
    const answer = await this.handle({ method: 'POST', path: '/api/auth/login', headers, body: new Uint8Array(body) });
    return (JSON.parse(Buffer.from(answer.body).toString()) as { token: string }).token;
  }

  async stored(resource: ResourceName): Promise<readonly StoredRecord[]> {
    const single = resourceOf(resource).fields.filter(({ kind }) => kind === 'file' || kind === 'image');
    const hasImages = resourceOf(resource).fields.some(({ kind }) => kind === 'images');
    return this.#backend.rows(resource).map((row) => {
      const images = this.#backend.images(resource, row.id);
      const record: ServerRecord = hasImages
        ? { ...row, images: images.map(({ id, image }) => ({ id, image })) }
        : { ...row };
      return {
        record,
        files: Object.fromEntries(single.map(({ name }) => [name, this.#hash(row[name])])),
        images: images.map(({ id, image }) => ({ id, sha256: this.#hash(image) })),
      };
    });
  }

  async siteMeta(): Promise<Readonly<Record<string, unknown>>> {
    const headers = new Headers({ accept: 'application/json', authorization: `Bearer ${await this.signIn('1')}` });
    const answer = await this.handle({ method: 'GET', path: '/api/site-meta', headers, body: undefined });
    return JSON.parse(Buffer.from(answer.body).toString()) as Record<string, unknown>;
  }

  /** A stock back end keeps everything in its database. */
  async restart(): Promise<void> {}

  #hash(name: unknown): string {
    return (typeof name === 'string' ? this.#backend.file(name)?.sha256 : undefined) ?? '';
  }

  async #cookies(): Promise<Record<string, string>> {
    const headers = new Headers({ accept: 'application/json' });
    const { headers: told } = await this.handle({ method: 'GET', path: '/api/user', headers, body: undefined });
    const pairs = told.getSetCookie().map((cookie) => cookie.split(';')[0] ?? '');
    const value = pairs.find((pair) => pair.startsWith('XSRF-TOKEN='))?.slice('XSRF-TOKEN='.length) ?? '';
    return { cookie: pairs.join('; '), 'x-xsrf-token': decodeURIComponent(value) };
  }
}
