import { createHash } from 'node:crypto';
import { RESOURCES } from '../../../src/domain/resources/index.ts';
import { json, Refusal } from './answers.ts';
import type { Store } from './store.ts';

type Call = (request: Request) => Promise<Response>;

/** What the middleware of `integrations/laravel` adds to a back end: keys, versions and ids in answers. */
export class OwnKeys {
  readonly #store: Store;
  readonly #kept = new Map<string, unknown>();

  constructor(store: Store) {
    this.#store = store;
  }

  async answer(request: Request, call: Call): Promise<Response> {
    const path = new URL(request.url).pathname;
    if (path === '/api/capabilities') return json(CAPABILITIES);
    const [, asked] = /^\/api\/changes\/(.+)$/.exec(path) ?? [];
    if (asked !== undefined) return this.#lookedUp(asked);
    if (request.method === 'GET') return this.#versioned(request, await call(request));
    const key = request.headers.get('idempotency-key');
    if (key !== null && this.#kept.has(key)) return json(this.#kept.get(key));
    const seen = request.headers.get('if-match');
    const record = recordPath(path);
    const version = seen === null || record === undefined ? undefined : await this.#versionAt(record, request, call);
    if (version !== undefined && seen !== `"${version}"`) throw new Refusal(412, 'Changed in the meantime.');
    const before = this.#highestIn(path);
    const answer = await call(request);
    if (answer.status !== 200) return answer;
    const id = before === undefined ? {} : { id: this.#highestIn(path) };
    const body = { ...((await answer.json()) as object), ...id };
    if (key !== null) this.#kept.set(key, body);
    return json(body);
  }

  #lookedUp(key: string): Response {
    if (!this.#kept.has(key)) throw new Refusal(404, 'No change has been made with this key.');
    return json(this.#kept.get(key));
  }

  async #versioned(request: Request, answer: Response): Promise<Response> {
    if (answer.status !== 200 || !new URL(request.url).pathname.startsWith('/api/get-single-')) return answer;
    const text = await answer.text();
    return json({ ...(JSON.parse(text) as object), version: versionOf(text) });
  }

  async #versionAt(path: string, { headers }: Request, call: Call): Promise<string | undefined> {
    const answer = await call(new Request(`http://back-end.test${path}`, { headers }));
    return answer.status === 200 ? versionOf(await answer.text()) : undefined;
  }

  /** The highest id of the kind that a path creates. Undefined for any other path. */
  #highestIn(path: string): number | undefined {
    const kind = RESOURCES.find(({ endpoints }) => endpoints.create === path);
    return kind && Math.max(0, ...this.#store.rows(kind.name).map(({ id }) => id));
  }
}

const CAPABILITIES = {
  server: 'voltdesk',
  idempotencyKeys: true,
  versions: true,
  changesByKey: true,
  limits: { maxFileBytes: 10_485_760, maxRequestBytes: 12_582_912, maxFilesPerRequest: 20 },
};

/** The address of the record that a request edits or deletes. */
function recordPath(path: string): string | undefined {
  if (path.startsWith('/api/get-single-')) return path;
  const kind = RESOURCES.find(({ endpoints }) => path.startsWith(`${endpoints.delete}/`));
  return kind && path.replace(kind.endpoints.delete, kind.endpoints.single);
}

function versionOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}
