import { ADMINISTRATOR } from './server.ts';
import type { SampleFile } from './sample-files.ts';

const JSON_TYPE = { 'content-type': 'application/json' };

type Entry = readonly [name: string, value: string | SampleFile];

/** Another client of the same server. Stores data beforehand, changes what an administrator has open, and reads. */
export class Api {
  readonly #origin: string;
  readonly #cookies = new Map<string, string>();
  #token = '';

  private constructor(origin: string) {
    this.#origin = origin;
  }

  static async signIn(origin: string, { email, password }: { email: string; password: string } = ADMINISTRATOR) {
    const api = new Api(origin);
    await api.#send('GET', '/api/user');
    const body = JSON.stringify({ email, password });
    const answer = await api.#send('POST', '/api/auth/login', body, JSON_TYPE);
    if (!answer.ok) throw new Error(`Signing in answered ${answer.status}: ${await answer.text()}`);
    api.#token = ((await answer.json()) as { token: string }).token;
    return api;
  }

  /** Adds an administrator through an invitation from the first one. Returns the id. */
  static async join(origin: string, person: { name: string; email: string; password: string; role?: string }) {
    const owner = await Api.signIn(origin);
    const { name, email, password, role = 'owner' } = person;
    const { token } = (await owner.ask('/api/people/invitations', { name, email, role })) as { token: string };
    const passwords = { new_password: password, new_password_confirmation: password };
    await owner.ask('/api/link/take', { token, name, ...passwords });
    const { people } = (await owner.get('/api/people')) as { people: { id: number; email: string }[] };
    const id = people.find((one) => one.email === email)?.id;
    if (id === undefined) throw new Error(`${email} did not join.`);
    return id;
  }

  async get(path: string): Promise<unknown> {
    return (await this.#done('GET', path)).json();
  }

  /** Sends a form. Throws if the answer is not a success. */
  async post(path: string, entries: readonly Entry[] = []): Promise<Record<string, unknown>> {
    const form = new FormData();
    for (const [name, value] of entries) {
      if (typeof value === 'string') form.append(name, value);
      else form.append(name, new Blob([new Uint8Array(value.buffer)], { type: value.mimeType }), value.name);
    }
    return (await this.#done('POST', path, form)).json() as Promise<Record<string, unknown>>;
  }

  /** Sends JSON, for sign-in and the inverter brands. */
  async ask(path: string, data: Readonly<Record<string, string>>): Promise<unknown> {
    return (await this.#done('POST', path, JSON.stringify(data), JSON_TYPE)).json();
  }

  async #done(method: string, path: string, body?: BodyInit, more: Record<string, string> = {}): Promise<Response> {
    const answer = await this.#send(method, path, body, more);
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${await answer.text()}`);
    return answer;
  }

  async #send(method: string, path: string, body?: BodyInit, more: Record<string, string> = {}): Promise<Response> {
    const headers: Record<string, string> = {
      accept: 'application/json',
      'x-requested-with': 'XMLHttpRequest',
      cookie: [...this.#cookies].map((pair) => pair.join('=')).join('; '),
      'x-xsrf-token': decodeURIComponent(this.#cookies.get('XSRF-TOKEN') ?? ''),
      ...(this.#token !== '' && { authorization: `Bearer ${this.#token}` }),
      ...more,
    };
    const answer = await fetch(this.#origin + path, { method, headers, body: body ?? null });
    for (const cookie of answer.headers.getSetCookie()) {
      const [name = '', value = ''] = (cookie.split(';')[0] ?? '').split('=');
      this.#cookies.set(name, value);
    }
    return answer;
  }
}
