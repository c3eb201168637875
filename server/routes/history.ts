import type { FastifyInstance } from 'fastify';
import type { Database } from '../database/tables.ts';
import { jsonAnswer, sendJson } from '../plugins/send.ts';
import type { Services } from '../services.ts';

type OfRecord = { Params: { resource: string; id: string } };

/** A record's history, newest first: who did what and when, with the values before and after. Also of deleted records. */
export function historyRoutes(app: FastifyInstance, { db }: Services): void {
  app.get<OfRecord>('/api/history/:resource/:id', async (request, reply) => {
    const history = await historyOf(db, request.params.resource, Number(request.params.id) || 0);
    return sendJson(request, reply, jsonAnswer(history));
  });
}

async function historyOf(db: Database, resource: string, recordId: number) {
  const rows = await db
    .selectFrom('changes')
    .selectAll()
    .where('resource', '=', resource)
    .where('record_id', '=', recordId)
    .orderBy('id', 'desc')
    .execute();
  return rows.map(({ id, at, user_name, action, before, after }) => ({
    id,
    at,
    administrator: user_name,
    action,
    changes: differences(parsed(before), parsed(after)),
  }));
}

type Content = Readonly<Record<string, unknown>>;

function differences(before: Content, after: Content) {
  const fields = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return fields
    .map((field) => ({ field, before: before[field] ?? null, after: after[field] ?? null }))
    .filter((change) => JSON.stringify(change.before) !== JSON.stringify(change.after));
}

function parsed(text: string | null): Content {
  return text === null ? {} : (JSON.parse(text) as Content);
}
