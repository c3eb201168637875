import type { FastifyInstance, LightMyRequestResponse } from 'fastify';
import { onTestFinished } from 'vitest';
import { buildGateway, type GatewayOverrides } from '../../server/gateway.ts';
import { BackLink } from '../harness/back-link.ts';
import { ContractOnlyBackend, type ContractOnlyOptions } from '../harness/contract-only-server.ts';
import { encoded, formOf, freshFolder, type TestFile, testSettings } from './harness.ts';

/** After this time a request without an answer can no longer take effect. Milliseconds. */
export const LONGEST_REQUEST = 60_000;

/** A clock controlled by the test. */
class Clock {
  #now = Date.UTC(2026, 10, 20, 10);
  #timers: { readonly at: number; readonly work: () => Promise<void> }[] = [];

  readonly now = () => this.#now;
  readonly after = (milliseconds: number, work: () => Promise<void>) => {
    const timer = { at: this.#now + milliseconds, work };
    this.#timers.push(timer);
    return () => void (this.#timers = this.#timers.filter((other) => other !== timer));
  };

  /** Advances the clock and starts the due timers. Resolves when what they started has ended. */
  async pass(milliseconds: number): Promise<void> {
    this.#now += milliseconds;
    const due = this.#timers.filter(({ at }) => at <= this.#now);
    this.#timers = this.#timers.filter((timer) => !due.includes(timer));
    await Promise.all(due.map(({ work }) => work()));
  }
}

/** An in-process gateway in front of a fake stock back end, with an administrator. */
export async function gatewayWorld(options: ContractOnlyOptions & { readonly settings?: Record<string, string> } = {}) {
  const clock = new Clock();
  const backend = new ContractOnlyBackend({ clock: clock.now, csrf: false, ...options });
  const link = new BackLink(backend);
  const dataDir = await freshFolder();
  const start = async (overrides: GatewayOverrides = {}, folder = dataDir) => {
    const folders = { DATA_DIR: folder, APP_DIR: folder };
    const settings = testSettings({ API_URL: 'http://127.0.0.1:9', ...folders, ...options.settings });
    const { now, after } = clock;
    const world = { now, after, transport: link.transport, longestRequest: LONGEST_REQUEST, ...overrides };
    const app = await buildGateway(settings, world);
    onTestFinished(() => app.close());
    return app;
  };
  const token = await signIn(backend);
  const app = await start();
  return {
    clock,
    backend,
    link,
    dataDir,
    start,
    app,
    token,
    admin: adminOf(app, token),
    signIn: (email?: string) => signIn(backend, email),
    /** Ends the administrator's session on the back end. */
    logOut: async () => {
      const headers = { accept: 'application/json', authorization: `Bearer ${token}` };
      await backend.handle(new Request('http://x/api/logout', { method: 'POST', headers }));
    },
    /** Makes a change directly on the back end. */
    elsewhere: (path: string, form?: FormData) => elsewhere(backend, path, form),
  };
}

/** A client that sends an administrator's requests to a gateway. */
export function adminOf(app: FastifyInstance, token: string) {
  const headers = {
    accept: 'application/json',
    'x-requested-with': 'XMLHttpRequest',
    authorization: `Bearer ${token}`,
  };
  return {
    get: (url: string) => app.inject({ method: 'GET', url, headers }),
    async post(
      url: string,
      values: Readonly<Record<string, string>>,
      files: readonly TestFile[] = [],
      more: Record<string, string> = {},
    ): Promise<LightMyRequestResponse> {
      const { body, type } = await encoded(formOf(values, files));
      return app.inject({ method: 'POST', url, payload: body, headers: { ...headers, 'content-type': type, ...more } });
    },
    /** Sends a POST without a body. */
    order: (url: string, more: Record<string, string> = {}) =>
      app.inject({ method: 'POST', url, headers: { ...headers, ...more } }),
  };
}

async function elsewhere(backend: ContractOnlyBackend, path: string, form = new FormData()): Promise<void> {
  const headers = { accept: 'application/json', authorization: `Bearer ${await signIn(backend)}` };
  const answer = await backend.handle(new Request(`http://x${path}`, { method: 'POST', body: form, headers }));
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
}

/** The headers that prove possession of the back end's anti-forgery cookie. */
export async function proofFrom(backend: ContractOnlyBackend) {
  const get = await backend.handle(new Request('http://x/api/user', { headers: { accept: 'application/json' } }));
  const pairs = get.headers.getSetCookie().map((cookie) => cookie.split(';')[0] ?? '');
  const value = pairs.find((pair) => pair.startsWith('XSRF-TOKEN='))?.slice('XSRF-TOKEN='.length) ?? '';
  return { cookie: pairs.join('; '), 'x-xsrf-token': decodeURIComponent(value) };
}

async function signIn(backend: ContractOnlyBackend, email = 'admin@example.com'): Promise<string> {
  const proof = await proofFrom(backend);
  const answer = await backend.handle(
    new Request('http://x/api/auth/login', {
      method: 'POST',
      headers: {
        accept: 'application/json',
        'content-type': 'application/json',
        ...proof,
      },
      body: JSON.stringify({ email, password: 'password' }),
    }),
  );
  return ((await answer.json()) as { token: string }).token;
}
