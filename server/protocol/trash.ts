import type { FastifyInstance, FastifyRequest } from 'fastify';
import { TRASH_PATH } from '../../src/domain/protocol/trash.ts';
import type { Resource } from '../../src/domain/resource.ts';
import { RESOURCES } from '../../src/domain/resources/index.ts';
import { notFound } from '../errors/refusal.ts';
import { audit } from '../security/audit.ts';
import type { Trash } from '../stores/trash.ts';
import type { Storage } from '../uploads/storage.ts';
import { callerOf } from './caller.ts';
import { keyFor } from './idempotency-key.ts';
import { idIn } from './ids.ts';
import { pathOf } from './path.ts';
import { jsonAnswer, sendJson } from './send.ts';
import { fileRoute } from './uploads.ts';

type OfTrash = { Querystring: { kind?: string; search?: string; before?: string } };
type OfRecord = { Params: { resource: string; id: string } };

/** What these routes need. */
interface Desk {
  readonly trash: Trash;
  readonly storage: Storage;
}

/** Longest search, in characters. */
const MOST_SOUGHT = 200;

/** A picture in the trash changes no more, but whoever signs out must not leave it in a shared cache. */
const PRIVATE = 'private, max-age=3600';

/** Lists deleted records, restores them and deletes them for good (src/domain/protocol/trash.ts). */
export function trashRoutes(app: FastifyInstance, { trash, storage }: Desk): void {
  app.get<OfTrash>(TRASH_PATH, async (request, reply) => {
    const { kind, search = '', before = '' } = request.query;
    const resource = kind === undefined ? undefined : kindOf(kind);
    const entry = idIn(before);
    const part = {
      ...(resource === undefined ? {} : { kind: resource.name }),
      ...(entry === undefined ? {} : { before: entry }),
      search: String(search).slice(0, MOST_SOUGHT),
    };
    return sendJson(request, reply, jsonAnswer(await trash.page(part)));
  });
  app.post<OfRecord>(`${TRASH_PATH}/:resource/:id/restore`, async (request, reply) => {
    const { resource, id } = recordIn(request);
    const header = [request.headers['idempotency-key'] ?? []].flat()[0];
    const key = keyFor(header, { path: pathOf(request), form: { texts: new Map(), files: [] } });
    const { answer, isReplayed } = await trash.restore(callerOf(request, reply), resource, id, key);
    if (isReplayed) reply.header('Idempotent-Replayed', 'true');
    return answer;
  });
  app.post<OfRecord>(`${TRASH_PATH}/:resource/:id/delete`, async (request, reply) => {
    const { resource, id } = recordIn(request);
    const caller = callerOf(request, reply);
    const answer = await trash.purge(caller, resource, id);
    audit(request, `${resource.name} ${id} deleted for good`, caller.user.email);
    return answer;
  });
  fileRoute(app, `${TRASH_PATH}/files/:file`, { store: trash, storage, cached: PRIVATE });
}

function recordIn({ params }: FastifyRequest<OfRecord>): { readonly resource: Resource; readonly id: number } {
  const id = idIn(params.id);
  const resource = kindOf(params.resource);
  if (id === undefined) throw notFound(`This ${resource.label.one} is no longer in the trash.`);
  return { resource, id };
}

function kindOf(name: string): Resource {
  const resource = RESOURCES.find((one) => one.name === name);
  if (resource === undefined) throw notFound('There is nothing at this address.');
  return resource;
}
