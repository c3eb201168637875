import { type AnyResourceName, fieldOf } from '../resource.ts';
import { resourceOf } from '../resources/index.ts';

/** What one request may carry. Sizes are bytes. */
export interface RequestLimits {
  readonly maxRequestBytes: number;
  readonly maxFilesPerRequest: number;
}

/** Room for the text fields and the multipart frame of one request, in bytes. */
const FRAME_BYTES = 64 * 1024;

/**
 * Divides files among requests, in order, so that none carries more than the server takes: PHP drops files past the 20th in
 * silence. The first request takes the single files (catalogue, image) too, so they come first. At least one part.
 */
export function splitFiles<F extends { readonly field: string; readonly size: number }>(
  resource: AnyResourceName,
  files: readonly F[],
  limits: RequestLimits,
): F[][] {
  const singles = files.filter(({ field }) => !isRepeated(resource, field));
  const repeated = files.filter(({ field }) => isRepeated(resource, field));
  const parts: F[][] = [[]];
  for (const file of [...singles, ...repeated]) {
    const last = parts.at(-1) ?? [];
    if (last.length === 0 || fits([...last, file], limits)) last.push(file);
    else parts.push([file]);
  }
  return parts;
}

function fits(files: readonly { readonly size: number }[], limits: RequestLimits): boolean {
  const bytes = files.reduce((sum, { size }) => sum + size, FRAME_BYTES);
  return files.length <= limits.maxFilesPerRequest && bytes <= limits.maxRequestBytes;
}

/** True for a field that holds several files: new ones are added to it. In any other a new file replaces the one before. */
export function isRepeated(resource: AnyResourceName, field: string): boolean {
  return fieldOf(resourceOf(resource), field)?.kind === 'images';
}
