import { baseOf } from '../../outbox/base.ts';
import { isUnchanged } from '../../outbox/conflict.ts';
import { resourceOf } from '../../resources/index.ts';
import { findCreate } from './find-create.ts';
import { findUpdate } from './find-update.ts';
import type { Attempt, Baseline, Finding, Reader, Sent } from './reader.ts';

/**
 * What has to be noted before a request goes out, so that its effect can be told afterwards. Undefined when the record that it
 * is about is gone. Throws what the reader throws.
 */
export async function baselineOf(reader: Reader, sent: Sent): Promise<Baseline | undefined> {
  switch (sent.op) {
    case 'create': {
      const rows = await reader.rows(resourceOf(sent.resource));
      return { ids: rows.map(({ id }) => id) };
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

/**
 * What became of a request whose answer was lost, told by what the back end holds now. Changes nothing. Throws what the reader
 * throws: then nothing was found out.
 */
export async function findOut(reader: Reader, sent: Sent, attempt: Attempt): Promise<Finding> {
  switch (sent.op) {
    case 'create':
      return findCreate(reader, sent, attempt);
    case 'update':
      return findUpdate(reader, sent, attempt);
    case 'delete':
      return findDelete(reader, sent, attempt);
    case 'delete-image':
      // ids of images are never given again, so that to delete one twice does no harm
      return { found: 'nothing' };
    default:
      return sent satisfies never;
  }
}

/** What is gone is deleted. */
async function findDelete(reader: Reader, sent: Sent & { op: 'delete' }, attempt: Attempt): Promise<Finding> {
  const resource = resourceOf(sent.resource);
  const record = await reader.record(resource, sent.recordId);
  if (record === undefined) return { found: 'done', duplicates: [], missing: [] };
  const { record: before } = attempt.baseline;
  const theirs = baseOf(resource, record);
  // to delete it twice does no harm
  if (before === undefined || isUnchanged(before, theirs)) return { found: 'nothing' };
  if (attempt.now() < attempt.endsBy) return { found: 'too-early', until: attempt.endsBy };
  return { found: 'changed', theirs };
}
