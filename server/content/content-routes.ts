import type { FastifyInstance, FastifyReply, FastifyRequest, RouteGenericInterface } from 'fastify';
import { CONTENT_PATH } from '../../src/domain/protocol/content.ts';
import { RESOURCES } from '../../src/domain/resources/index.ts';
import { idIn } from '../protocol/ids.ts';
import type { Encodable, Encoded } from '../protocol/encodable.ts';
import { isKnown, strongTag, writtenAnswer } from '../protocol/send.ts';
import { notFound, Refusal, tooMany } from '../errors/refusal.ts';
import { protection, PUBLIC_DATA_HEADERS } from '../security/headers.ts';
import { credentialsOf } from '../security/session.ts';
import { visitorOf } from '../security/visitor.ts';
import type { Settings } from '../settings/settings.ts';
import type { ContentTokens } from '../stores/content-tokens.ts';
import type { SiteContacts } from '../stores/site-contacts.ts';
import { CallCounter } from './call-counter.ts';
import { type Content, ContentCache, type ContentStore } from './content-cache.ts';
import { applyQuery, type ContentPart, readQuery, workOf } from './content-query.ts';
import { openApiDocument } from './openapi.ts';

/** Levels at which every request is logged. */
const LOGGED: ReadonlySet<string> = new Set(['info', 'debug', 'trace']);
/** Seconds for which a shared cache may answer from a copy while it fetches the next one. */
const STALE_WHILE_REVALIDATE = 30;

type Listing = { Querystring: Record<string, string | string[]> };
type ById = { Params: { id: string } };

interface Desk {
  readonly settings: Pick<
    Settings,
    'content' | 'contentOrigins' | 'contentPerMinute' | 'publicHost' | 'hstsSubdomains' | 'brandLabel'
  >;
  readonly store: ContentStore & { readonly contentTokens: ContentTokens; readonly siteContacts: SiteContacts };
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/**
 * The content API: read only, without cookies, for the public site. Does not exist unless a setting allows it. Its answers
 * derive from the definitions, so a new kind of record appears by itself.
 *
 * Register it in a scope without other hooks. It has all that it needs itself, and most of its answers are so short (304) that
 * hooks would be the larger part of their price.
 */
export function contentRoutes(app: FastifyInstance, desk: Desk): void {
  const { settings, store } = desk;
  if (settings.content === 'off') return;
  const cache = new ContentCache(store, settings.publicHost === '' ? '' : `https://${settings.publicHost}`);
  // a logger of its own for each request is dear where nothing is logged
  app.setChildLoggerFactory((logger, bindings, options) =>
    LOGGED.has(logger.level) ? logger.child(bindings, options) : logger,
  );
  const calls = new CallCounter(settings.contentPerMinute, desk.now);
  admitReaders(app, desk, calls);
  const send = sendWith(settings);
  /** Answers with what `find` finds in the content as of now. */
  const answer =
    <Route extends RouteGenericInterface>(find: (content: Content, request: FastifyRequest<Route>) => Encodable) =>
    (request: FastifyRequest<Route>, reply: FastifyReply) => {
      const told = (content: Content) => {
        const body = find(content, request);
        store.siteContacts.note('readAt');
        return send(request as FastifyRequest, reply, body);
      };
      const content = cache.current();
      return content instanceof Promise ? content.then(told) : told(content);
    };
  app.options(`${CONTENT_PATH}/*`, async (_request, reply) => reply.code(204).send());
  const description = writtenAnswer(JSON.stringify(openApiDocument(settings)));
  app.get(`${CONTENT_PATH}/openapi.json`, (request, reply) => send(request, reply, description));
  app.get(
    `${CONTENT_PATH}/site`,
    answer((content) => content.answer('site', () => content.site)),
  );
  app.get(
    `${CONTENT_PATH}/all`,
    answer((content) => content.answer('all', () => allJson(content))),
  );
  for (const resource of RESOURCES) {
    const path = `${CONTENT_PATH}/${resource.name}`;
    app.get(
      path,
      answer<Listing>((content, { url, query, ip }) =>
        content.answer(url, () => {
          const items = content.list(resource);
          const asked = readQuery(resource, query);
          calls.charge(visitorOf(ip), workOf(asked, items.length));
          return listJson(applyQuery(resource, items, asked));
        }),
      ),
    );
    app.get(
      `${path}/:id`,
      answer<ById>((content, { params }) => {
        const found = content.item(resource, idIn(params.id) ?? 0);
        if (found === undefined) throw notFound(`There is no ${resource.label.noun.one} with this id.`);
        return found;
      }),
    );
  }
}

/** Lets in whom the settings allow, so many times a minute. */
function admitReaders(app: FastifyInstance, { settings, store }: Desk, calls: CallCounter): void {
  const protect = protection(settings);
  app.addHook('onRequest', (request, reply, done) => {
    protect(request, reply);
    const seconds = calls.count(visitorOf(request.ip));
    if (seconds !== undefined) throw tooMany(seconds);
    done();
  });
  // also on what is refused
  app.addHook('onSend', (request, reply, _payload, done) => {
    reply.headers({ ...PUBLIC_DATA_HEADERS, ...originHeaders(settings, request) });
    done();
  });
  if (settings.content !== 'token') return;
  app.addHook('onRequest', async (request) => {
    // a browser asks beforehand without credentials
    if (request.method === 'OPTIONS' || (await store.contentTokens.allows(credentialsOf(request).token))) return;
    const message = 'The content needs a token: Authorization: Bearer …';
    throw new Refusal(401, { message }, { 'WWW-Authenticate': 'Bearer' });
  });
}

type Headers = Readonly<Record<string, string>>;

const NO_HEADERS: Headers = {};

/** Lets the pages of the listed origins read the answer (https://fetch.spec.whatwg.org/#http-cors-protocol). */
function originHeaders({ contentOrigins }: Desk['settings'], { headers }: FastifyRequest): Headers {
  if (contentOrigins.length === 0) return NO_HEADERS;
  const { origin } = headers;
  const isOpen = contentOrigins.includes('*');
  if (origin === undefined || !(isOpen || contentOrigins.includes(origin.toLowerCase()))) return NO_HEADERS;
  return {
    'Access-Control-Allow-Origin': isOpen ? '*' : origin,
    'Access-Control-Allow-Methods': 'GET, HEAD',
    'Access-Control-Allow-Headers': 'Authorization, If-None-Match',
    'Access-Control-Expose-Headers': 'ETag',
    'Access-Control-Max-Age': '600',
  };
}

/**
 * Sends JSON with a strong ETag, or 304 to whoever has it. Both go past the framework, whose way of sending costs more than the
 * answer. A 304 has the headers that a cache takes from it (RFC 9110, 15.4.5); it keeps the others of the answer it has.
 */
function sendWith(settings: Desk['settings']) {
  // an answer with a token belongs to its program; others may be kept by any cache, which asks again each time
  const who = settings.content === 'public' ? 'public' : 'private';
  const isByOrigin = settings.contentOrigins.length > 0 && !settings.contentOrigins.includes('*');
  const caching: Headers = {
    'Cache-Control': `${who}, max-age=0, stale-while-revalidate=${STALE_WHILE_REVALIDATE}`,
    Vary: isByOrigin ? 'Origin, Accept-Encoding' : 'Accept-Encoding',
  };
  const whole: Headers = { ...PUBLIC_DATA_HEADERS, ...caching, 'Content-Type': 'application/json; charset=utf-8' };
  return (request: FastifyRequest, reply: FastifyReply, body: Encodable) => {
    const etag = strongTag(request, body);
    const origins = originHeaders(settings, request);
    if (isKnown(request.headers['if-none-match'], etag))
      return sendRaw(reply, 304, { ETag: etag, ...caching, ...origins });
    const send = ({ encoding, bytes }: Encoded) => {
      const encoded = encoding === undefined ? NO_HEADERS : { 'Content-Encoding': encoding };
      return sendRaw(reply, 200, { ...whole, ...origins, ...encoded, ETag: etag }, bytes);
    };
    const accepted = request.headers['accept-encoding'] ?? '';
    const encoding = body.encodingFor(accepted);
    return encoding === undefined ? send({ encoding, bytes: body.bytes }) : body.encodedFor(accepted).then(send);
  };
}

/** Answers past the framework, with the headers that its hooks have set. */
function sendRaw(reply: FastifyReply, status: number, headers: Headers, bytes?: Buffer): FastifyReply {
  reply.hijack();
  for (const [name, value] of Object.entries(reply.getHeaders())) reply.raw.setHeader(name, value ?? '');
  const length = bytes && { 'Content-Length': bytes.length };
  reply.raw.writeHead(status, { ...headers, ...length }).end(bytes);
  return reply;
}

function listJson({ items, total, next }: ContentPart): string {
  return `{"items":[${items.map(({ json }) => json).join(',')}],"total":${total},"next":${JSON.stringify(next)}}`;
}

function allJson(content: Content): string {
  const kinds = RESOURCES.map((resource) => {
    const items = content.list(resource).map(({ json }) => json);
    return `${JSON.stringify(resource.name)}:[${items.join(',')}]`;
  });
  return `{"site":${content.site},${kinds.join(',')}}`;
}
