import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { allRows } from '../../../src/domain/protocol/all-rows.ts';
import {
  type Capabilities,
  CAPABILITIES_PATH,
  CHANGES_PATH,
  readCapabilities,
} from '../../../src/domain/protocol/capabilities.ts';
import type { Reader } from '../../../src/domain/protocol/read-back/reader.ts';
import {
  type AnyResource,
  isSingle,
  type ListRow,
  recordAddress,
  type Resource,
  type ServerRecord,
  uploadAddress,
} from '../../../src/domain/resource.ts';
import { Refusal, type RefusalBody } from '../../errors/refusal.ts';
import type { Credentials } from '../store.ts';
import { type KeptPages, PagedLists } from './paged-list.ts';
import { Rate } from './rate.ts';
import { lastPageIn, recordIn, rowsIn } from './shapes.ts';
import { type MultipartForm, multipartBody } from './multipart.ts';
import { NotSentError, type Transport, type WireAnswer } from './transport.ts';

/** The time-out of a read until its first byte. Milliseconds. */
const READ_PATIENCE = 20_000;
/** Response headers that are passed on to the client. */
const PASSED_HEADERS = ['retry-after', 'x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'] as const;
const NO_COOKIES = { cookie: '', antiForgery: '' };

/** Calls the contract's endpoints on a back end with an administrator's credentials. */
export class BackEnd {
  readonly #transport: Transport;
  readonly #answerTime: number;
  readonly #pagedLists: PagedLists;
  /** What the back end allows one person. */
  readonly rate = new Rate();
  /** Pages of paged lists when they were last read whole, by kind. */
  readonly #pages = new Map<string, number>();

  /** `answerTime`: the time-out of a change's answer. Milliseconds. `kept`: how its lists are paged, as an earlier process found. */
  constructor(transport: Transport, answerTime: number, kept?: KeptPages) {
    this.#transport = transport;
    this.#answerTime = answerTime;
    this.#pagedLists = new PagedLists(kept);
  }

  /**
   * Returns the reader for read-back. It throws a Refusal for any answer other than found or gone. `turn` is awaited before each
   * page of a list.
   */
  readerFor(credentials: Credentials, turn?: () => Promise<void>): Reader {
    return {
      rows: (resource) => this.#rows(credentials, resource, turn),
      newest: (resource) => this.#newest(credentials, resource, turn),
      pages: (resource) => this.#pages.get(resource.name) ?? 1,
      record: (resource, id) => this.#record(credentials, resource, id),
      peek: (resource, id) => this.#peek(credentials, resource, id),
      sha256: (name) => this.#sha256(credentials, name),
    };
  }

  /** Reads JSON. Undefined if it is gone (404). Throws the back end's answer as a Refusal, or 503 if it is unreachable. */
  async read<T>(credentials: Credentials, path: string): Promise<T | undefined> {
    const answer = await this.#get(credentials, path);
    const body = jsonIn(answer);
    if (answer.status === 200 && typeof body === 'object' && body !== null) return body as T;
    if (answer.status === 404 && body !== undefined) return undefined;
    throw asRefusal(answer);
  }

  /** What the back end can do beyond the contract. Undefined while it does not tell. */
  async capabilities(): Promise<Capabilities | undefined> {
    const answer = await this.#get({ token: '', ...NO_COOKIES }, CAPABILITIES_PATH).catch(() => undefined);
    const isPassing = answer === undefined || answer.status >= 500 || answer.status === 429;
    return isPassing ? undefined : readCapabilities(answer.status, jsonIn(answer));
  }

  /** Looks up a change by its key, at a back end that keeps them. Throws 503 if it is unreachable. */
  changeOf(credentials: Credentials, key: string): Promise<WireAnswer> {
    return this.#get(credentials, `${CHANGES_PATH}/${key}`);
  }

  /** Requests a change, once. Throws NotSentError or NoAnswerError. */
  post(
    credentials: Credentials,
    path: string,
    form: MultipartForm | undefined,
    { key, ifMatch }: { readonly key?: string; readonly ifMatch?: string } = {},
  ): Promise<WireAnswer> {
    const multipart = form && multipartBody(form);
    return this.#transport({
      method: 'POST',
      path,
      headers: {
        ...headersFor(credentials),
        ...(multipart && { 'content-type': multipart.type }),
        ...(key !== undefined && { 'idempotency-key': key }),
        ...(ifMatch !== undefined && { 'if-match': `"${ifMatch}"` }),
      },
      ...(multipart && { body: multipart }),
      patience: this.#answerTime,
    });
  }

  /** Requests a sign-in and forwards the client's address. Throws NotSentError or NoAnswerError. */
  signIn(credentials: Credentials, texts: ReadonlyMap<string, string>, address: string): Promise<WireAnswer> {
    const body = Buffer.from(JSON.stringify(Object.fromEntries(texts)));
    return this.#transport({
      method: 'POST',
      path: '/api/auth/login',
      headers: { ...headersFor(credentials), 'content-type': 'application/json', 'x-forwarded-for': address },
      body: { stream: Readable.from([body]), length: body.length },
      patience: READ_PATIENCE,
    });
  }

  /** Returns credentials with a fresh anti-forgery session, for requests without a waiting browser. */
  async renewed({ token }: Credentials): Promise<Credentials> {
    const answer = await this.#get({ token, ...NO_COOKIES }, '/api/user');
    const pairs = answer.cookies.map((cookie) => cookie.split(';')[0] ?? '');
    const value = pairs.find((pair) => pair.startsWith('XSRF-TOKEN='))?.slice('XSRF-TOKEN='.length) ?? '';
    return { token, cookie: pairs.join('; '), antiForgery: decodeURIComponent(value) };
  }

  async #get(credentials: Credentials, path: string): Promise<WireAnswer> {
    try {
      const headers = headersFor(credentials);
      const answer = await this.#transport({ method: 'GET', path, headers, patience: READ_PATIENCE });
      this.rate.note(answer.headers);
      return answer;
    } catch (cause) {
      throw away(cause instanceof NotSentError);
    }
  }

  async #rows(credentials: Credentials, resource: Resource, turn = atOnce): Promise<readonly ListRow[]> {
    const pages: (readonly ListRow[])[] = [];
    const all = await allRows(resource, async (path) => {
      await turn();
      const list = rowsIn(resource, (await this.read<object>(credentials, path)) ?? {});
      if (list === undefined) throw away(false);
      pages.push(list);
      return list;
    });
    this.#pages.set(resource.name, pages.length);
    if (resource.paged) await this.#pagedLists.noteWhole(resource, pages);
    return all;
  }

  /** The rows among which new ones appear: of a paged list, no more pages than it takes. */
  async #newest(credentials: Credentials, resource: Resource, turn = atOnce): Promise<readonly ListRow[]> {
    if (!resource.paged) return this.#rows(credentials, resource, turn);
    return this.#pagedLists.newest(resource, async (page) => {
      await turn();
      const body = (await this.read<object>(credentials, `${resource.endpoints.list}?page=${page}`)) ?? {};
      const rows = rowsIn(resource, body);
      if (rows === undefined) throw away(false);
      const lastPage = lastPageIn(body);
      return lastPage === undefined ? { rows } : { rows, lastPage };
    });
  }

  async #peek(credentials: Credentials, resource: AnyResource, id: number | string): Promise<ServerRecord | undefined> {
    const body = await this.read<object>(credentials, recordAddress(resource, id));
    return body && recordIn(resource, body);
  }

  async #record(
    credentials: Credentials,
    resource: AnyResource,
    id: number | string,
  ): Promise<ServerRecord | undefined> {
    const answer = await this.#get(credentials, recordAddress(resource, id));
    const body = jsonIn(answer);
    if (answer.status === 200 && typeof body === 'object' && body !== null) return recordIn(resource, body);
    if (answer.status !== 404 || body === undefined) throw asRefusal(answer);
    if (!(await this.#isGone(credentials, resource, Number(id), answer))) throw away(false);
    return undefined;
  }

  /**
   * True if a 404 means that the record is gone: its list lacks it too, and the answer is the record's own, not the router's.
   * The router answers so for the other records as well. Of a list of many pages, only the newest rows are looked at.
   */
  async #isGone(credentials: Credentials, resource: AnyResource, id: number, answer: WireAnswer): Promise<boolean> {
    if (isSingle(resource)) return false;
    const rows = await this.#newest(credentials, resource);
    if (rows.some((row) => row.id === id)) return false;
    if (isModels(answer)) return true;
    const other = rows.at(-1);
    return other !== undefined && (await this.#peek(credentials, resource, other.id)) !== undefined;
  }

  async #sha256(credentials: Credentials, name: string): Promise<string | undefined> {
    const answer = await this.#get(credentials, uploadAddress(name));
    const { status, headers, body } = answer;
    // pictures need no session: what leads to a sign-in here says nothing about it
    if (status >= 500 || status === 408 || status === 425 || status === 429) throw asRefusal(answer);
    // elsewhere (a redirect, which is not followed), not for this session, or the site's page: nothing that will change soon
    const isFile = status === 200 && body.length > 0 && !/^text\/html|json/.test(headers['content-type'] ?? '');
    return isFile ? createHash('sha256').update(body).digest('hex') : undefined;
  }
}

async function atOnce(): Promise<void> {
  // nothing to wait for
}

/** Seconds until a device retries while the back end is unreachable. */
const ASK_AGAIN = '5';

/** The 503 for a back end that gives no answer of its own. Nothing was changed. */
export function away(isUnreachable: boolean): Refusal {
  const message = isUnreachable
    ? 'The back end cannot be reached. Please try again in a moment.'
    : 'The back end isn’t responding correctly. Please try again in a moment.';
  return new Refusal(503, { message, code: 'back-end-away' }, { 'Retry-After': ASK_AGAIN });
}

/** Statuses that mean "deleted" to a device. From an intermediary, they only say that the back end is not there. */
const GONE: ReadonlySet<number> = new Set([404, 410]);

/** Converts the back end's answer, unchanged, for the device. An answer that is not JSON came from an intermediary. */
export function asRefusal(answer: WireAnswer): Refusal {
  const body = jsonIn(answer);
  if (isSignedOut(answer)) return new Refusal(401, { message: 'Unauthenticated.' });
  if (body === undefined || answer.status < 400) {
    if (answer.status < 400 || answer.status >= 500 || GONE.has(answer.status)) return away(false);
    const message = `Something in front of the back end refused it (${answer.status}).`;
    return new Refusal(answer.status, { message, code: 'back-end-guarded' });
  }
  const headers = Object.fromEntries(PASSED_HEADERS.flatMap((name) => pairOf(name, answer.headers[name])));
  return new Refusal(answer.status, body as RefusalBody, headers, answer.cookies);
}

/** True for a session that has ended: a redirect to a page to sign in, or that page itself. Nothing was carried out. */
export function isSignedOut({ status, headers, body }: WireAnswer): boolean {
  if (status >= 300 && status < 400) return /\/(login|log-in|signin|sign-in|auth)\b/i.test(headers['location'] ?? '');
  const isPage = status === 200 && /^text\/html/i.test(headers['content-type'] ?? '');
  return isPage && /<input[^>]+type=["']?password/i.test(body.toString());
}

/** True for the 404 of Laravel's model binding, which names the model: `No query results for model [App\\Models\\Ups] 1`. */
export function isModels(answer: WireAnswer): boolean {
  const { message } = (jsonIn(answer) ?? {}) as { readonly message?: unknown };
  return typeof message === 'string' && message.startsWith('No query results for model');
}

/** Parses the body of an answer declared as JSON. Undefined for any other. */
export function jsonIn({ headers, body }: WireAnswer): unknown {
  if (!/[/+]json\b/i.test(headers['content-type'] ?? '')) return undefined;
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}

function pairOf(name: string, value: string | undefined): [string, string][] {
  return value === undefined ? [] : [[name, value]];
}

/** The request headers. A stock back end returns errors as JSON only for these. */
function headersFor({ token, cookie, antiForgery }: Credentials): Record<string, string> {
  return {
    accept: 'application/json',
    'x-requested-with': 'XMLHttpRequest',
    ...(token === '' ? {} : { authorization: `Bearer ${token}` }),
    ...(cookie === '' ? {} : { cookie }),
    ...(antiForgery === '' ? {} : { 'x-xsrf-token': antiForgery }),
  };
}
