import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { FIRST_ROWS } from '../../src/domain/limits.ts';
import { doneMessage } from '../../src/domain/messages.ts';
import type { Resource } from '../../src/domain/resource.ts';
import { RESOURCES } from '../../src/domain/resources/index.ts';
import { carryOut } from '../stores/sqlite/execute-change.ts';
import { noteRequest, snapshotOf } from '../stores/sqlite/history.ts';
import type { Database } from '../stores/sqlite/tables.ts';
import { jsonAnswer, sendJson } from './send.ts';
import { listRecords, listRows, readRecord, rowOf } from '../stores/sqlite/read.ts';
import { assertValid, formOf, readSubmitted } from './submitted.ts';
import { assertVersion } from '../stores/sqlite/versions.ts';
import { createRecord, deleteRecord, updateRecord } from '../stores/sqlite/write.ts';
import { notFound } from '../refusal.ts';
import type { Services } from '../services.ts';
import { idIn } from './ids.ts';

type ById = { Params: { id: string } };
type Listing = { Querystring: { page?: string; full?: string; first?: string } };

/** The five calls of every kind of record, derived from its definition. */
export function resourceRoutes(app: FastifyInstance, services: Services): void {
  for (const resource of RESOURCES) {
    const { list, single, create, delete: remove } = resource.endpoints;
    app.get<Listing>(list, (request, reply) => answerList(services, resource, request, reply));
    app.get<ById>(`${single}/:id`, (request, reply) => answerSingle(services, resource, request, reply));
    app.post(create, (request, reply) => answerCreate(services, resource, request, reply));
    app.post<ById>(`${single}/:id`, (request, reply) => answerUpdate(services, resource, request, reply));
    app.post<ById>(`${remove}/:id`, (request, reply) => answerDelete(services, resource, request, reply));
  }
}

async function answerList(
  services: Services,
  resource: Resource,
  request: FastifyRequest<Listing>,
  reply: FastifyReply,
) {
  const page = Math.max(1, Math.min(1_000_000, Number.parseInt(request.query.page ?? '1', 10) || 1));
  const most = request.query.first === String(FIRST_ROWS) ? FIRST_ROWS : undefined;
  const read = request.query.full === '1' ? listRecords : listRows;
  const name = `${resource.name} ${read.name} ${page} ${most}`;
  const answer = await services.lists(name, async () => jsonAnswer(await read(services.db, resource, page, most)));
  return sendJson(request, reply, answer);
}

async function answerSingle(
  services: Services,
  resource: Resource,
  request: FastifyRequest<ById>,
  reply: FastifyReply,
) {
  const record = await readRecord(services.db, resource, idOf(resource, request));
  return sendJson(request, reply, jsonAnswer(record), `"${record.version}"`);
}

function answerCreate(services: Services, resource: Resource, request: FastifyRequest, reply: FastifyReply) {
  const { form, submitted, check } = submission(services, resource, request, true);
  return carryOut(services, reply, {
    request,
    form,
    fields: resource.fields,
    files: submitted.files,
    check,
    apply: async (writing, placed) => {
      const written = await createRecord(services, writing, resource, submitted.values, placed);
      const after = await contentOf(writing, resource, written.id);
      const { name } = resource;
      await noteRequest(services, request, writing, { resource: name, recordId: written.id, action: 'create', after });
      return { message: doneMessage(resource.label.message, 'Created'), ...written };
    },
  });
}

function answerUpdate(services: Services, resource: Resource, request: FastifyRequest<ById>, reply: FastifyReply) {
  const id = idOf(resource, request);
  const { form, submitted, check } = submission(services, resource, request, false);
  return carryOut(services, reply, {
    request,
    form,
    fields: resource.fields,
    files: submitted.files,
    check: async (db) => {
      assertVersion(request.headers['if-match'], (await rowOf(db, resource, id)).version);
      await check(db);
    },
    apply: async (writing, placed) => {
      const before = await contentOf(writing, resource, id);
      const { version } = await updateRecord(services, writing, resource, id, submitted.values, placed);
      const after = await contentOf(writing, resource, id);
      const { name } = resource;
      await noteRequest(services, request, writing, { resource: name, recordId: id, action: 'update', before, after });
      return { message: doneMessage(resource.label.message, 'Updated'), version };
    },
  });
}

function answerDelete(services: Services, resource: Resource, request: FastifyRequest<ById>, reply: FastifyReply) {
  const id = idOf(resource, request);
  return carryOut(services, reply, {
    request,
    form: formOf(request),
    fields: [],
    files: [],
    check: async (db) => assertVersion(request.headers['if-match'], (await rowOf(db, resource, id)).version),
    apply: async (writing) => {
      const row = await rowOf(writing, resource, id);
      const before = await snapshotOf(writing, resource, row);
      await deleteRecord(writing, resource, row);
      const { name } = resource;
      await noteRequest(services, request, writing, { resource: name, recordId: id, action: 'delete', before });
      return { message: doneMessage(resource.label.message, 'Deleted') };
    },
  });
}

function submission(services: Services, resource: Resource, request: FastifyRequest, creating: boolean) {
  const form = formOf(request);
  const submitted = readSubmitted(resource.fields, form);
  const { maxFileBytes } = services.settings;
  const check = (db: Database) => assertValid(db, resource.fields, submitted, { creating, maxFileBytes });
  return { form, submitted, check };
}

async function contentOf(db: Database, resource: Resource, id: number) {
  return snapshotOf(db, resource, await rowOf(db, resource, id));
}

function idOf(resource: Resource, request: FastifyRequest<ById>): number {
  const id = idIn(request.params.id);
  if (id === undefined) throw notFound(`This ${resource.label.one} is not there any more.`);
  return id;
}
