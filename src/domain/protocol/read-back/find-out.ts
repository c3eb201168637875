import { baseOf } from '../../outbox/base.ts';
import { isUnchanged } from '../../outbox/conflict.ts';
import type { ListRow, Resource } from '../../resource.ts';
import { resourceOf } from '../../resources/index.ts';
import { findCreateByTexts } from './find-create.ts';
import { findUpdate } from './find-update.ts';
import type { Attempt, Baseline, Finding, Reader, Sent } from './reader.ts';
import { weighCreate } from './weigh-create.ts';
import { weighUpdate } from './weigh-update.ts';

/**
 * Reads the state before a request, so that the request's effect can be determined afterwards. Returns undefined if its
 * record is gone. Throws what the reader throws.
 */
export async function baselineOf(reader: Reader, sent: Sent): Promise<Baseline | undefined> {
  switch (sent.op) {
    case 'create': {
      const resource = resourceOf(sent.resource);
      const isPart = resource.paged && reader.newest !== undefined;
      const ids = (await (isPart ? newestOf(reader, resource) : reader.rows(resource))).map(({ id }) => id);
      return isPart ? { ids, after: Math.max(0, ...ids) } : { ids };
    }
    case 'update':
    case 'delete': {
      const resource = resourceOf(sent.resource);
      const record = await reader.record(resource, sent.recordId);
      return record && { record: baseOf(resource, record) };
    }
    case 'delete-image':
      return {};
    default:
      return sent satisfies never;
  }
}

function newestOf(reader: Reader, resource: Resource): Promise<readonly ListRow[]> {
  return reader.newest?.(resource) ?? reader.rows(resource);
}

/**
 * Determines the fate of a request whose answer was lost from the back end's current state. Changes nothing. Throws what
 * the reader throws; nothing is known then.
 */
export async function findOut(reader: Reader, sent: Sent, attempt: Attempt): Promise<Finding> {
  switch (sent.op) {
    case 'create':
      return attempt.proof === 'texts' ? findCreateByTexts(reader, sent, attempt) : weighCreate(reader, sent, attempt);
    case 'update':
      return attempt.proof === 'texts' ? findUpdate(reader, sent, attempt) : weighUpdate(reader, sent, attempt);
    case 'delete':
      return findDelete(reader, sent, attempt);
    case 'delete-image':
      // image ids are never reused, so deleting one twice does no harm
      return { found: 'nothing' };
    default:
      return sent satisfies never;
  }
}

/** A missing record counts as deleted. */
async function findDelete(reader: Reader, sent: Sent & { op: 'delete' }, attempt: Attempt): Promise<Finding> {
  const resource = resourceOf(sent.resource);
  const record = await reader.record(resource, sent.recordId);
  if (record === undefined) return { found: 'done', duplicates: [], missing: [] };
  const { record: before } = attempt.baseline;
  const theirs = baseOf(resource, record);
  // deleting it twice does no harm
  if (before === undefined || isUnchanged(before, theirs)) return { found: 'nothing' };
  if (attempt.now() < attempt.endsBy) return { found: 'too-early', until: attempt.endsBy };
  return { found: 'changed', theirs };
}
