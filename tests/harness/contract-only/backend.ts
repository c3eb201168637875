import type { ResourceName } from '../../../src/domain/resource.ts';
import { Accounts } from './accounts.ts';
import { loginPage, page, Refusal, redirect, refuse } from './answers.ts';
import { readBody } from './body.ts';
import { type Habits } from './habits.ts';
import { MEDIA_TYPES, type ContentType } from './content-type.ts';
import { OwnKeys } from './own-keys.ts';
import { randomNames } from './random-names.ts';
import { matchRoute, type Route, routesOf } from './routes.ts';
import { Sessions } from './sessions.ts';
import { SiteMeta } from './site-meta.ts';
import { type ImageRow, type Row, Store, type StoredFile } from './store.ts';
import { Throttle } from './throttle.ts';

export interface BackendOptions {
  /** Epoch milliseconds. Defaults to the machine's clock. */
  readonly clock?: () => number;
  /** Determines tokens, sessions and stored names, so that a run is repeatable. */
  readonly seed?: string;
  /** Anti-forgery cookies. On by default, as installed. */
  readonly csrf?: boolean;
  /** Requests per minute. Unlimited by default. */
  readonly throttle?: number;
  /** What this installation does otherwise than a stock one. */
  readonly habits?: Habits;
}

/**
 * A test double of the contract's stock Laravel back end: its calls, headers, cookies and refusals, what it leaves out, and
 * no extension. Handles one request at a time, all in memory.
 */
export class Backend {
  /** While true, every call answers 503, as under `artisan down`. */
  maintenance = false;
  /** What this installation does otherwise than a stock one. May be changed while a test runs. */
  readonly habits: Habits;
  readonly #store: Store;
  readonly #accounts: Accounts;
  readonly #ownKeys: OwnKeys;
  readonly #sessions: Sessions | undefined;
  readonly #throttle: Throttle | undefined;
  readonly #routes: readonly Route[];

  constructor(options: BackendOptions = {}) {
    const clock = options.clock ?? Date.now;
    const random = randomNames(options.seed ?? 'contract-only');
    this.habits = { ...options.habits };
    this.#store = new Store(clock, random, this.habits);
    this.#ownKeys = new OwnKeys(this.#store);
    this.#accounts = new Accounts(random, this.#store.now());
    if (options.csrf ?? true) this.#sessions = new Sessions(clock, random);
    if (options.throttle !== undefined) this.#throttle = new Throttle(options.throttle, clock);
    const siteMeta = new SiteMeta(this.#store.now());
    this.#routes = routesOf({ store: this.#store, accounts: this.#accounts, siteMeta, habits: this.habits });
  }

  /** Answers one request. Its effect has taken place when this resolves, even if nobody reads the answer. */
  async handle(request: Request): Promise<Response> {
    try {
      const call = (asked: Request) => this.#answer(asked);
      return await (this.habits.ownKeys === true ? this.#ownKeys.answer(request, call) : call(request));
    } catch (error) {
      return refuse(refusalIn(error), request);
    }
  }

  /** Stored rows of a resource, by id. */
  rows(resource: ResourceName): readonly Row[] {
    return this.#store.rows(resource);
  }

  /** A record's stored images, in order of arrival. */
  images(resource: ResourceName, recordId: number): readonly ImageRow[] {
    return this.#store.imagesOf(resource, recordId);
  }

  /** A stored file by its name: its bytes and their SHA-256 as received. */
  file(name: string): StoredFile | undefined {
    return this.#store.files.get(name);
  }

  /** The total number of stored files. */
  get fileCount(): number {
    return this.#store.files.size;
  }

  async #answer(request: Request): Promise<Response> {
    const path = new URL(request.url).pathname;
    if (path.startsWith('/uploads/')) return this.#upload(path);
    if (this.habits.withoutRoute?.(path, request.method) === true) throw new Refusal(404, '');
    if (this.maintenance) throw new Refusal(503, 'Service Unavailable');
    const body = await readBody(request);
    const { route, id } = this.#find(path, request.method);
    return this.#inSession(request, () => {
      if (!route.open && !this.#accounts.isSignedIn(request)) return this.#signedOut();
      if (request.method === 'POST') this.#store.beforeWrite();
      const handler = route.methods[request.method === 'POST' ? 'POST' : 'GET'];
      if (handler === undefined) throw new Error(`No handler for ${request.method} ${path}`);
      return handler({ request, id, body });
    });
  }

  #find(path: string, method: string): { route: Route; id: string } {
    const found = matchRoute(this.#routes, path);
    if (found === undefined) throw new Refusal(404, '');
    const methods = Object.keys(found.route.methods).flatMap((name) => (name === 'GET' ? ['GET', 'HEAD'] : [name]));
    if (!methods.includes(method)) {
      const text = `The ${method} method is not supported for this route. Supported methods: ${methods.join(', ')}.`;
      throw new Refusal(405, text, { headers: { allow: methods.join(', ') } });
    }
    return found;
  }

  /**
   * Applies the throttle, then the anti-forgery check, then the call. A request refused by the first two gets no new
   * anti-forgery cookie.
   */
  #inSession(request: Request, call: () => Response): Response {
    const session = this.#sessions?.open(request);
    let headers: Record<string, string> = {};
    let passed = false;
    let answer: Response;
    try {
      headers = this.#throttle?.take() ?? {};
      if (session !== undefined) this.#sessions?.check(request, session);
      passed = true;
      answer = call();
    } catch (error) {
      answer = refuse(refusalIn(error), request);
    }
    for (const [name, value] of Object.entries(headers)) answer.headers.set(name, value);
    if (session !== undefined) this.#sessions?.setCookies(answer, session, passed);
    return answer;
  }

  #signedOut(): Response {
    switch (this.habits.endsSessionsBy ?? 'json') {
      case 'redirect':
        return redirect('https://back-end.test/login');
      case 'page':
        return loginPage();
      default:
        throw new Refusal(401, 'Unauthenticated.');
    }
  }

  #upload(path: string): Response {
    switch (this.habits.uploads ?? 'served') {
      case 'redirects':
        return redirect(`https://bucket.example${path}?signature=1`);
      case 'forbids':
        return page(403, 'Forbidden');
      case 'page':
        return page(200, 'Power Equipment');
      case 'missing':
        return page(404, 'Not Found');
      default:
    }
    const file = this.#store.files.get(decodeURIComponent(path.slice('/uploads/'.length)));
    if (file === undefined) {
      return new Response('Not Found', { status: 404, headers: { 'content-type': 'text/plain' } });
    }
    const type = MEDIA_TYPES[file.type as ContentType];
    return new Response(new Uint8Array(file.bytes), { headers: { 'content-type': type } });
  }
}

/** Returns the refusal in an error. Rethrows any other error: a bug of this double must not look like a server error. */
function refusalIn(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  throw error;
}
