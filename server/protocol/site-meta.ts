import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { SITE_META } from '../../src/domain/site-meta.ts';
import { carryOut } from '../stores/sqlite/execute-change.ts';
import { noteRequest } from '../stores/sqlite/history.ts';
import type { Database, RecordRow } from '../stores/sqlite/tables.ts';
import { jsonAnswer, sendJson } from './send.ts';
import { assertValid, formOf, readSubmitted } from './submitted.ts';
import { assertVersion, newVersion } from '../stores/sqlite/versions.ts';
import { columnsOf } from '../stores/sqlite/write.ts';
import { type Services, timestamp } from '../services.ts';

/** The site-wide settings. */
export function siteMetaRoutes(app: FastifyInstance, services: Services): void {
  app.get(SITE_META.endpoint, async (request, reply) => {
    const row = await siteMeta(services.db);
    return sendJson(request, reply, jsonAnswer(row), `"${row.version}"`);
  });
  app.post(SITE_META.endpoint, (request, reply) => answerSave(services, request, reply));
}

function answerSave(services: Services, request: FastifyRequest, reply: FastifyReply) {
  const form = formOf(request);
  const submitted = readSubmitted(SITE_META.fields, form);
  const rules = { creating: false, maxFileBytes: services.settings.maxFileBytes };
  return carryOut(services, reply, {
    request,
    form,
    fields: SITE_META.fields,
    files: [],
    check: async (db) => {
      assertVersion(request.headers['if-match'], (await siteMeta(db)).version);
      await assertValid(db, SITE_META.fields, submitted, rules);
    },
    apply: async (writing) => {
      const before = contentOf(await siteMeta(writing));
      const version = newVersion(services);
      const columns = columnsOf(SITE_META.fields, submitted.values);
      await writing
        .updateTable('site_meta')
        .set({ ...columns, version, updated_at: timestamp(services) })
        .where('id', '=', SITE_META.id)
        .execute();
      const after = contentOf(await siteMeta(writing));
      const { name: resource, id: recordId } = SITE_META;
      await noteRequest(services, request, writing, { resource, recordId, action: 'update', before, after });
      return { message: 'Site Meta Updated Successfully', version };
    },
  });
}

/** The one row; the first migration made it. */
async function siteMeta(db: Database): Promise<RecordRow> {
  return (await db
    .selectFrom('site_meta')
    .selectAll()
    .where('id', '=', SITE_META.id)
    .executeTakeFirstOrThrow()) as RecordRow;
}

function contentOf(row: RecordRow): object & Record<string, unknown> {
  return Object.fromEntries(SITE_META.fields.map((field) => [field.name, row[field.name]]));
}
