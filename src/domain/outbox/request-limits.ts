import { fieldOf } from '../resource.ts';
import { resourceOf } from '../resources/index.ts';
import type { AnyResourceName } from '../resource.ts';
import type { FileReference } from './vocabulary.ts';

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
export function splitFiles(
  resource: AnyResourceName,
  files: readonly FileReference[],
  limits: RequestLimits,
): FileReference[][] {
  const singles = files.filter(({ field }) => !isRepeated(resource, field));
  const repeated = files.filter(({ field }) => isRepeated(resource, field));
  const parts: FileReference[][] = [[]];
  for (const file of [...singles, ...repeated]) {
    const last = parts.at(-1) ?? [];
    if (last.length === 0 || fits([...last, file], limits)) last.push(file);
    else parts.push([file]);
  }
  return parts;
}

/** True when one request can carry them all. */
export function fits(files: readonly { readonly size: number }[], limits: RequestLimits): boolean {
  const bytes = files.reduce((sum, { size }) => sum + size, FRAME_BYTES);
  return files.length <= limits.maxFilesPerRequest && bytes <= limits.maxRequestBytes;
}

/** Puts new files beside earlier ones: those of a single-file field replace, images are added. Tells what was replaced. */
export function joinFiles(
  resource: AnyResourceName,
  earlier: readonly FileReference[],
  later: readonly FileReference[],
): { files: FileReference[]; replaced: FileReference[] } {
  const renewed = new Set(later.map(({ field }) => field).filter((field) => !isRepeated(resource, field)));
  const replaced = earlier.filter(({ field }) => renewed.has(field));
  return { files: [...earlier.filter(({ field }) => !renewed.has(field)), ...later], replaced };
}

function isRepeated(resource: AnyResourceName, field: string): boolean {
  return fieldOf(resourceOf(resource), field)?.kind === 'images';
}
