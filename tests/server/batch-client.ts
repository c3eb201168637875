import type { LightMyRequestResponse } from 'fastify';
import type { BatchAnswer, BatchedChange } from '../../src/domain/protocol/batch.ts';
import { CHANGES_PATH } from '../../src/domain/protocol/capabilities.ts';
import type { AnyResourceName } from '../../src/domain/resource.ts';
import type { Client, TestFile } from './harness.ts';
import { sha256 } from './samples.ts';

/** Sends changes together, with the files that come along. */
export function sendBatch(
  { post }: Pick<Client, 'post'>,
  changes: readonly object[],
  files: readonly TestFile[] = [],
): Promise<LightMyRequestResponse> {
  if (files.length === 0) return post(CHANGES_PATH, { changes });
  const form = new FormData();
  form.append('changes', JSON.stringify(changes));
  for (const { bytes, name, type } of files) form.append(sha256(bytes), new File([bytes], name, { type }), name);
  return post(CHANGES_PATH, form);
}

/** The lines of an answer. */
export function linesOf({ body }: Pick<LightMyRequestResponse, 'body'>): BatchAnswer[] {
  return body
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as BatchAnswer);
}

let count = 0;

/** A change with a key of its own. */
export function change(
  op: BatchedChange['op'],
  resource: AnyResourceName,
  more: Partial<BatchedChange> = {},
): BatchedChange {
  count += 1;
  return { key: `change-${count}-of-this-test`, op, resource, ...more };
}
