import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fastify, { type FastifyInstance, type InjectOptions, type LightMyRequestResponse } from 'fastify';
import { onTestFinished } from 'vitest';
import { buildApp, type Overrides } from '../../server/app.ts';
import { addFirstAdministrator } from '../../server/accounts/first-administrator.ts';
import { readSettings, type Settings } from '../../server/settings/settings.ts';
import type { Database } from '../../server/stores/sql/tables.ts';
import { openDatabase } from '../../server/stores/sqlite/open.ts';
import { ADMIN, CHEAP, copyPreparedData, SETTINGS } from '../harness/prepared-data.ts';

export { ADMIN } from '../harness/prepared-data.ts';

/** The storage of a test file's servers. */
interface Records {
  readonly openEngine?: NonNullable<Overrides['openEngine']>;
  /** Opens the database of a data folder while its server runs, as another process would. */
  readonly openDatabase: (dataDir: string) => Promise<Database>;
}

const EMBEDDED: Records = { openDatabase };
let records = EMBEDDED;

/** Replaces the embedded database for the servers of this test file, or puts it back. */
export function keepRecordsIn(elsewhere: Records = EMBEDDED): void {
  records = elsewhere;
}

/** Opens the database of a data folder while its server runs, as another process would. */
export function openBeside(dataDir: string): Promise<Database> {
  return records.openDatabase(dataDir);
}

/** A file in a form. */
export interface TestFile {
  readonly field: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly name: string;
  readonly type: string;
}

/** Starts an in-process server on a new data folder. Closed when the test ends. */
export async function startServer(environment: Record<string, string> = {}, overrides: Overrides = {}) {
  const dataDir = environment['DATA_DIR'] ?? (await freshFolder());
  if (isOrdinary(environment, overrides)) await copyPreparedData(dataDir);
  const settings = testSettings({ DATA_DIR: dataDir, ...environment });
  const { openDatabase: _unused, ...elsewhere } = records;
  const app = await buildApp(settings, { passwordCost: CHEAP, ...elsewhere, ...overrides });
  await addFirstAdministrator(app.services);
  onTestFinished(() => app.close());
  return { app, dataDir, settings, client: () => client(app) };
}

/** True if the start itself is not what the test is about, so that it may be shortened. */
function isOrdinary(environment: Record<string, string>, overrides: Overrides): boolean {
  const isNew = !Object.keys(environment).some((name) => name === 'DATA_DIR' || name.startsWith('ADMIN_'));
  return isNew && records.openEngine === undefined && Object.keys(overrides).length === 0;
}

/** Starts a server with a signed-in administrator. */
export async function signedIn(environment: Record<string, string> = {}, overrides: Overrides = {}) {
  const server = await startServer(environment, overrides);
  const admin = await server.client();
  await admin.signIn();
  return { ...server, admin };
}

/** Settings of a silent server with a known administrator. */
export function testSettings(environment: Record<string, string>): Settings {
  return readSettings({ ...SETTINGS, ...environment });
}

/** Creates a folder that is removed when the test ends. */
export async function freshFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'voltdesk-test-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

export type Client = Awaited<ReturnType<typeof client>>;

/** An administrator's browser: stores cookies, and sends the headers required by the contract. */
async function client(app: FastifyInstance) {
  const cookies = new Map<string, string>();
  let token = '';
  const headers = () => ({
    accept: 'application/json',
    'x-requested-with': 'XMLHttpRequest',
    cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
    'x-xsrf-token': decodeURIComponent(cookies.get('XSRF-TOKEN') ?? ''),
    ...(token === '' ? {} : { authorization: `Bearer ${token}` }),
  });
  const send = async (options: InjectOptions): Promise<LightMyRequestResponse> => {
    const response = await app.inject({ ...options, headers: { ...headers(), ...options.headers } });
    for (const { name, value } of response.cookies as { name: string; value: string }[]) cookies.set(name, value);
    return response;
  };
  const post = async (
    url: string,
    form: FormData | object | undefined,
    extra: Record<string, string> = {},
    payloadAsStream = false,
  ) => {
    if (!(form instanceof FormData)) {
      const payload = form === undefined ? {} : { payload: form };
      return send({ method: 'POST', url, headers: extra, payloadAsStream, ...payload });
    }
    const { body, type } = await encoded(form);
    return send({ method: 'POST', url, payload: body, headers: { 'content-type': type, ...extra }, payloadAsStream });
  };
  const self = {
    cookies,
    send,
    post,
    get: (url: string, extra: Record<string, string> = {}) => send({ method: 'GET', url, headers: extra }),
    forget: () => {
      token = '';
    },
    bearer: () => token,
    useBearer: (value: string) => {
      token = value;
    },
    async signIn(email = ADMIN.email, password = ADMIN.password) {
      await self.get('/api/user');
      const response = await post('/api/auth/login', { email, password });
      if (response.statusCode === 200) token = response.json().token;
      return response;
    },
  };
  return self;
}

/** Builds a form as a browser would. */
export function formOf(values: Readonly<Record<string, string>>, files: readonly TestFile[] = []): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(values)) form.append(name, value);
  for (const { field, bytes, name, type } of files) form.append(field, new File([bytes], name, { type }), name);
  return form;
}

/** Encodes a form as a multipart body with its content type. */
export async function encoded(form: FormData): Promise<{ body: Buffer; type: string }> {
  const request = new Request('http://voltdesk.test', { method: 'POST', body: form });
  return { body: Buffer.from(await request.arrayBuffer()), type: request.headers.get('content-type') ?? '' };
}

/** Headers with an idempotency key. */
export function withKey(key: string = randomUUID()): Record<string, string> {
  return { 'idempotency-key': key };
}

/** A server with only these routes. Closed when the test ends. */
export function serverOf(plugin: (app: FastifyInstance) => void): FastifyInstance {
  const app = fastify();
  onTestFinished(() => app.close());
  plugin(app);
  return app;
}
