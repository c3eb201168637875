import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { FIRST_ROWS } from '../../src/domain/limits.ts';
import type { AnyResource } from '../../src/domain/resource.ts';
import { RESOURCES } from '../../src/domain/resources/index.ts';
import { siteMeta } from '../../src/domain/resources/site-meta.ts';
import { notFound } from '../errors/refusal.ts';
import type { Asked } from '../security/session.ts';
import type { OwnStore, Store } from '../stores/store.ts';
import { callerOf } from './caller.ts';
import { answerChange } from './changes.ts';
import type { ChangeDesk } from './make-change.ts';
import { idIn } from './ids.ts';
import { jsonAnswer, sendJson } from './send.ts';

type ById = { Params: { id: string } };
type Listing = { Querystring: { page?: string; full?: string; first?: string } };

const TAKES_FILES = { config: { takes: 'files' } } as const;

/** Routes of every kind of record except lists, derived from its definition, plus image deletion and site meta. */
export function recordRoutes(app: FastifyInstance, desk: ChangeDesk): void {
  const { store } = desk;
  for (const resource of RESOURCES) {
    const { single, create, delete: remove } = resource.endpoints;
    app.get<ById>(
      `${single}/:id`,
      { config: { asksFor: ({ params }) => askedFor(resource, params) } },
      (request, reply) => answerSingle(store, { resource, id: idOf(resource.label.one, request) }, request, reply),
    );
    app.post(create, TAKES_FILES, (request, reply) => answerChange(desk, request, reply, { op: 'create', resource }));
    app.post<ById>(`${single}/:id`, TAKES_FILES, async (request, reply) =>
      answerChange(desk, request, reply, { op: 'update', resource, id: idOf(resource.label.one, request) }),
    );
    app.post<ById>(`${remove}/:id`, async (request, reply) =>
      answerChange(desk, request, reply, { op: 'delete', resource, id: idOf(resource.label.one, request) }),
    );
  }
  // image ids are unique across all kinds
  app.post<ById>('/api/delete-image/:id', async (request, reply) =>
    answerChange(desk, request, reply, { op: 'delete-image', id: idOf('image', request) }),
  );
  const settings = { resource: siteMeta, id: siteMeta.only };
  app.get(siteMeta.endpoints.single, (request, reply) => answerSingle(store, settings, request, reply));
  app.post(siteMeta.endpoints.single, TAKES_FILES, (request, reply) =>
    answerChange(desk, request, reply, { op: 'update', ...settings }),
  );
}

/** List routes of a server with its own store. */
export function listRoutes(app: FastifyInstance, store: OwnStore): void {
  for (const resource of RESOURCES) {
    app.get<Listing>(resource.endpoints.list, async (request, reply) => {
      const page = Math.max(1, Math.min(1_000_000, Number.parseInt(request.query.page ?? '1', 10) || 1));
      const most = request.query.first === String(FIRST_ROWS) ? { most: FIRST_ROWS } : {};
      const part = { page, ...most, isFull: request.query.full === '1' };
      return sendJson(request, reply, await store.list(resource, part));
    });
  }
}

function askedFor(resource: AnyResource, params: unknown): Asked | undefined {
  const id = idIn((params as ById['Params']).id);
  return id === undefined ? undefined : { resource, id };
}

async function answerSingle(store: Store, { resource, id }: Asked, request: FastifyRequest, reply: FastifyReply) {
  const record = request.readAlong ?? (await store.record(callerOf(request, reply), resource, id));
  return sendJson(request, reply, jsonAnswer(record), `"${record.version}"`);
}

function idOf(what: string, request: FastifyRequest<ById>): number {
  const id = idIn(request.params.id);
  if (id === undefined) throw notFound(`This ${what} no longer exists.`);
  return id;
}
