import type { FastifyInstance } from 'fastify';
import type { FieldChange, HistoryEntry } from '../../src/domain/history.ts';
import type { Database } from '../stores/sqlite/tables.ts';
import { jsonAnswer, sendJson } from './send.ts';
import type { Services } from '../services.ts';
import { idIn } from './ids.ts';

type OfRecord = { Params: { resource: string; id: string } };

/** A record's history, newest first: who did what and when, with the values before and after. Also of deleted records. */
export function historyRoutes(app: FastifyInstance, { db }: Services): void {
  app.get<OfRecord>('/api/history/:resource/:id', async (request, reply) => {
    const id = idIn(request.params.id);
    const history = id === undefined ? [] : await historyOf(db, request.params.resource, id);
    return sendJson(request, reply, jsonAnswer(history));
  });
}

async function historyOf(db: Database, resource: string, recordId: number): Promise<HistoryEntry[]> {
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
    action: action as HistoryEntry['action'],
    changes: differences(parsed(before), parsed(after)),
  }));
}

type Content = Readonly<Record<string, unknown>>;

/** The fields that differ, their values in words: files by the names that administrators gave them. */
function differences(before: Content, after: Content): FieldChange[] {
  const fields = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return fields
    .filter((field) => JSON.stringify(before[field] ?? null) !== JSON.stringify(after[field] ?? null))
    .map((field) => ({ field, before: inWords(before[field]), after: inWords(after[field]) }));
}

function inWords(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (Array.isArray(value)) return value.length === 0 ? null : value.map(inWords).join(', ');
  if (typeof value === 'object') return 'name' in value ? String(value.name) : JSON.stringify(value);
  return String(value);
}

function parsed(text: string | null): Content {
  return text === null ? {} : (JSON.parse(text) as Content);
}
