import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { CONTENT_PATH } from '../../src/domain/protocol/content.ts';
import { RESOURCES } from '../../src/domain/resources/index.ts';
import { idIn } from '../protocol/ids.ts';
import type { Encodable } from '../protocol/encodable.ts';
import { sendTagged } from '../protocol/send.ts';
import { notFound, Refusal, tooMany } from '../refusal.ts';
import { credentialsOf } from '../security/session.ts';
import { visitorOf } from '../security/visitor.ts';
import type { Settings } from '../settings.ts';
import type { ContentTokens } from '../stores/content-tokens.ts';
import { CallCounter } from './call-counter.ts';
import { type Content, ContentCache, type ContentStore } from './content-cache.ts';
import { applyQuery, readQuery } from './content-query.ts';
import { openApiDocument } from './openapi.ts';

/** Seconds for which a shared cache may answer from a copy while it fetches the next one. */
const STALE_WHILE_REVALIDATE = 30;

type Listing = { Querystring: Record<string, string | string[]> };
type ById = { Params: { id: string } };

interface Desk {
  readonly settings: Pick<Settings, 'content' | 'contentOrigins' | 'contentPerMinute' | 'publicHost' | 'brandLabel'>;
  readonly store: ContentStore & { readonly contentTokens: ContentTokens };
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** Called with every call that is answered. */
  readonly onRead: () => void;
}

/**
 * The content API: read only, without cookies, for the public site. Does not exist unless a setting allows it. Its answers
 * derive from the definitions, so a new kind of record appears by itself.
 */
export function contentRoutes(app: FastifyInstance, desk: Desk): void {
  const { settings, store } = desk;
  if (settings.content === 'off') return;
  const cache = new ContentCache(store, settings.publicHost === '' ? '' : `https://${settings.publicHost}`);
  const calls = new CallCounter(settings.contentPerMinute, desk.now);
  app.addHook('onRequest', async (request, reply) => {
    const seconds = calls.count(visitorOf(request.ip));
    if (seconds !== undefined) throw tooMany(seconds);
    return admit(desk, request, reply);
  });
  const answer = (request: FastifyRequest, reply: FastifyReply, body: Encodable) => {
    reply.header('Cache-Control', cachingOf(settings)).type('application/json; charset=utf-8');
    return sendTagged(request, reply, body);
  };
  app.options(`${CONTENT_PATH}/*`, async (_request, reply) => reply.code(204).send());
  app.get(`${CONTENT_PATH}/openapi.json`, async (request, reply) => {
    const content = await cache.current();
    return answer(
      request,
      reply,
      content.answer('openapi', () => JSON.stringify(openApiDocument(settings))),
    );
  });
  app.get(`${CONTENT_PATH}/site`, async (request, reply) => {
    const content = await cache.current();
    return answer(
      request,
      reply,
      content.answer('site', () => siteJson(content)),
    );
  });
  app.get(`${CONTENT_PATH}/all`, async (request, reply) => {
    const content = await cache.current();
    return answer(
      request,
      reply,
      content.answer('all', () => allJson(content)),
    );
  });
  for (const resource of RESOURCES) {
    const path = `${CONTENT_PATH}/${resource.name}`;
    app.get<Listing>(path, async (request, reply) => {
      const query = readQuery(resource, request.query);
      const content = await cache.current();
      const write = () => {
        const { items, total, next } = applyQuery(resource, content.list(resource), query);
        return `{"items":[${items.map(({ json }) => json).join(',')}],"total":${total},"next":${JSON.stringify(next)}}`;
      };
      return answer(request, reply, content.answer(`${resource.name} ${JSON.stringify(query)}`, write));
    });
    app.get<ById>(`${path}/:id`, async (request, reply) => {
      const content = await cache.current();
      const item = content.item(resource, idIn(request.params.id) ?? 0);
      if (item === undefined) throw notFound(`There is no ${resource.label.noun.one} with this id.`);
      return answer(
        request,
        reply,
        content.answer(`${resource.name}/${item.record.id}`, () => item.json),
      );
    });
  }
}

/** Lets in whom the setting allows. */
async function admit({ settings, store, onRead }: Desk, request: FastifyRequest, reply: FastifyReply) {
  reply.header('Cross-Origin-Resource-Policy', 'cross-origin');
  allowOrigin(settings, request, reply);
  // a browser asks beforehand without credentials
  if (request.method === 'OPTIONS') return;
  if (settings.content === 'token' && !(await store.contentTokens.allows(credentialsOf(request).token)))
    throw new Refusal(
      401,
      { message: 'The content needs a token: Authorization: Bearer …' },
      { 'WWW-Authenticate': 'Bearer' },
    );
  onRead();
}

/** Lets the pages of the listed origins read the answer (https://fetch.spec.whatwg.org/#http-cors-protocol). */
function allowOrigin({ contentOrigins }: Desk['settings'], { headers }: FastifyRequest, reply: FastifyReply): void {
  const { origin } = headers;
  if (contentOrigins.length === 0) return;
  const isOpen = contentOrigins.includes('*');
  if (!isOpen) reply.header('Vary', 'Origin');
  if (origin === undefined || !(isOpen || contentOrigins.includes(origin.toLowerCase()))) return;
  reply.headers({
    'Access-Control-Allow-Origin': isOpen ? '*' : origin,
    'Access-Control-Allow-Methods': 'GET, HEAD',
    'Access-Control-Allow-Headers': 'Authorization, If-None-Match',
    'Access-Control-Expose-Headers': 'ETag',
    'Access-Control-Max-Age': '600',
  });
}

/** An answer with a token belongs to its program; others may be kept by any cache, which asks again each time. */
function cachingOf({ content }: Desk['settings']): string {
  const who = content === 'public' ? 'public' : 'private';
  return `${who}, max-age=0, stale-while-revalidate=${STALE_WHILE_REVALIDATE}`;
}

function siteJson({ site }: Content): string {
  return site?.json ?? '{}';
}

function allJson(content: Content): string {
  const kinds = RESOURCES.map((resource) => {
    const items = content.list(resource).map(({ json }) => json);
    return `${JSON.stringify(resource.name)}:[${items.join(',')}]`;
  });
  return `{"site":${siteJson(content)},${kinds.join(',')}}`;
}
