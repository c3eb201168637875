import { isAttachment, wireName } from '../../../src/domain/fields.ts';
import type { Resource } from '../../../src/domain/resource.ts';
import { ContractOnlyBackend, type ContractOnlyOptions } from '../../harness/contract-only-server.ts';
import { pdf, png, type SampleFile } from '../../harness/sample-files.ts';
import { expect } from 'vitest';

export const ORIGIN = 'http://backend.test';
export const JSON_HEADERS = { accept: 'application/json', 'x-requested-with': 'XMLHttpRequest' };
export const MEGABYTE = 1024 * 1024;
const START = Date.parse('2026-11-20T10:32:13.456Z');

/** The browser's part: stores cookies, echoes the anti-forgery one, and sends the bearer token. */
export class Client {
  now = START;
  token: string | undefined;
  echoes = true;
  readonly cookies = new Map<string, string>();
  readonly backend: ContractOnlyBackend;

  constructor(options: ContractOnlyOptions = {}) {
    this.backend = new ContractOnlyBackend({ clock: () => this.now, ...options });
  }

  async send(method: string, path: string, body?: BodyInit, headers: Record<string, string> = JSON_HEADERS) {
    const all = new Headers(headers);
    if (this.cookies.size > 0) all.set('cookie', [...this.cookies].map((pair) => pair.join('=')).join('; '));
    const xsrf = this.cookies.get('XSRF-TOKEN');
    if (this.echoes && xsrf !== undefined) all.set('x-xsrf-token', decodeURIComponent(xsrf));
    if (this.token !== undefined) all.set('authorization', `Bearer ${this.token}`);
    const answer = await this.backend.handle(new Request(ORIGIN + path, { method, headers: all, body: body ?? null }));
    for (const cookie of answer.headers.getSetCookie()) {
      const [name = '', value = ''] = (cookie.split(';')[0] ?? '').split('=');
      this.cookies.set(name, value);
    }
    return answer;
  }

  get(path: string, headers?: Record<string, string>) {
    return this.send('GET', path, undefined, headers);
  }

  post(path: string, body?: BodyInit, headers?: Record<string, string>) {
    return this.send('POST', path, body, headers);
  }

  async json(path: string): Promise<unknown> {
    return (await this.get(path)).json();
  }

  async signIn(email = 'admin@example.com', password = 'password'): Promise<Response> {
    await this.get('/api/user');
    const body = JSON.stringify({ email, password });
    const answer = await this.post('/api/auth/login', body, { ...JSON_HEADERS, 'content-type': 'application/json' });
    if (answer.ok) this.token = ((await answer.clone().json()) as { token: string }).token;
    return answer;
  }
}

export async function signedIn(options?: ContractOnlyOptions): Promise<Client> {
  const client = new Client(options);
  await client.signIn();
  return client;
}

export type Entry = [name: string, value: string | SampleFile];

export function form(...entries: Entry[]): FormData {
  const data = new FormData();
  for (const [name, value] of entries) {
    if (typeof value === 'string') data.append(name, value);
    else data.append(name, new Blob([new Uint8Array(value.buffer)], { type: value.mimeType }), value.name);
  }
  return data;
}

export const photo = png('photo.png', 1);
const sheet = pdf('sheet.pdf', 1);

/** Every field of a kind, filled in. `more` replaces or adds fields. */
export function filled(resource: Resource, more: Entry[] = [], leaveOut: string[] = []): FormData {
  const entries = resource.fields
    .filter((field) => !leaveOut.includes(field.name) && !more.some(([name]) => name === wireName(field)))
    .map((field): Entry => {
      if (isAttachment(field)) return [wireName(field), field.kind === 'file' ? sheet : photo];
      if (field.kind === 'choice') return [field.name, field.options[0] ?? ''];
      if (field.kind === 'lookup') return [field.name, field.lookup === 'ups-types' ? 'Online' : 'Cummins Series'];
      if (field.kind === 'integer') return [field.name, '3'];
      return [field.name, field.kind === 'text' && field.format === 'url' ? 'https://example.com' : `a ${field.name}`];
    });
  return form(...entries, ...more);
}

/** The errors of a 422. Fails for any other answer. */
export async function errorsOf(answer: Response): Promise<unknown> {
  expect(answer.status).toBe(422);
  const body = (await answer.json()) as { message: string; errors: unknown };
  expect(body.message).toBe('The given data was invalid.');
  return body.errors;
}
