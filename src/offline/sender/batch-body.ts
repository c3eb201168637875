import type { Companion } from '../../domain/outbox/together.ts';
import type { Change } from '../../domain/outbox/vocabulary.ts';
import { BATCH_TEXT, type BatchedChange } from '../../domain/protocol/batch.ts';
import { fieldsOf } from '../../domain/protocol/requests.ts';
import { isSingle } from '../../domain/resource.ts';
import { resourceOf } from '../../domain/resources/index.ts';
import { namedFile } from './send.ts';

/** A change of a batch with its inline files, by hash. */
export interface BatchMember extends Companion {
  readonly files: ReadonlyMap<string, File>;
}

/** The body of a batch: JSON, or a form if it carries files. Each file's bytes are sent once. */
export function batchBody(members: readonly BatchMember[]): {
  readonly body: string | FormData;
  readonly bytes: number;
} {
  const changes = members.map(wireChange);
  const files = new Map(members.flatMap((member) => [...member.files]));
  if (files.size === 0) {
    const body = JSON.stringify({ changes });
    return { body, bytes: body.length };
  }
  const text = JSON.stringify(changes);
  const body = new FormData();
  body.append(BATCH_TEXT, text);
  for (const [sha256, file] of files) body.append(sha256, file, file.name);
  return { body, bytes: [...files.values()].reduce((sum, { size }) => sum + size, text.length) };
}

/** Estimates how many bytes a change adds to a batch, without its files. Non-ASCII text may take twice as many or more. */
export function wireSize(companion: Companion): number {
  return new TextEncoder().encode(JSON.stringify(wireChange(companion))).byteLength + FRAME;
}

/** Overhead of a form part, per change. Bytes. */
const FRAME = 512;

function wireChange({ entry: { idempotencyKey: key, again }, change, after }: Companion): BatchedChange {
  const { op, resource } = change;
  const files = 'files' in change ? change.files.map(namedFile) : [];
  return {
    key,
    op,
    resource,
    ...(isSingle(resourceOf(resource)) ? {} : { id: change.recordId }),
    ...(change.op === 'delete-image' ? { imageId: change.imageId } : {}),
    ...(after === undefined ? versionOf(change) : { after: after.idempotencyKey }),
    ...(again && { again }),
    ...('values' in change ? { fields: fieldsOf(change) } : {}),
    ...(files.length === 0 ? {} : { files }),
  };
}

function versionOf(change: Change): { version?: string } {
  const version = 'base' in change ? change.base?.version : undefined;
  return version === undefined ? {} : { version };
}
