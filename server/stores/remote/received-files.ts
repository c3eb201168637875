import { join } from 'node:path';
import type { Field } from '../../../src/domain/fields.ts';
import { tooLargeText } from '../../../src/domain/validate.ts';
import { errorKeyOf, readSubmitted } from '../../protocol/submitted.ts';
import { invalid } from '../../errors/refusal.ts';
import type { ReceivedFile } from '../../uploads/received.ts';
import type { Storage } from '../../uploads/storage.ts';
import type { RequestedChange } from '../store.ts';
import type { WorkFile } from './work.ts';

/**
 * Makes a change's files durable under unique names, because they may have to be sent again after a restart. Throws 422 for
 * a file over the size limit.
 */
export async function keepFiles(
  storage: Storage,
  { target, form }: Pick<RequestedChange, 'target' | 'form'>,
): Promise<WorkFile[]> {
  const fields = 'resource' in target ? target.resource.fields : [];
  const { files } = readSubmitted(fields, form);
  refuseTooLarge(fields, files, storage.limits.maxFileBytes);
  const kept = files.map((file) => ({ file, name: storage.randomBytes(20).toString('hex') }));
  for (const { file, name } of kept) {
    await storage.disk.flush(file.path);
    await storage.disk.rename(file.path, join(storage.folder, name));
  }
  if (kept.length > 0) await storage.disk.flushFolder(storage.folder);
  return kept.map(({ file: { field, sha256, size, originalName, type }, name }) => ({
    field,
    sha256,
    size,
    name,
    originalName: originalName === '' ? 'blob' : originalName,
    type: type ?? 'application/octet-stream',
  }));
}

/** Removes files that have arrived or will not be sent. */
export async function removeFiles(storage: Storage, files: readonly WorkFile[]): Promise<void> {
  await Promise.all(files.map(({ name }) => storage.disk.remove(join(storage.folder, name))));
}

/** Throws 422 for files over the limit. Only their size was kept. */
function refuseTooLarge(fields: readonly Field[], files: readonly ReceivedFile[], maxFileBytes: number): void {
  const tooLarge = files.filter(({ size }) => size > maxFileBytes);
  if (tooLarge.length === 0) return;
  const texts = tooLarge.map((file) => {
    const key = errorKeyOf(fields, files, file);
    return [key, [tooLargeText(file.size, maxFileBytes)]];
  });
  throw invalid(Object.fromEntries(texts));
}
