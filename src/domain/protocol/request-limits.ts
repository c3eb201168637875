import { type AnyResourceName, fieldOf } from '../resource.ts';
import { resourceOf } from '../resources/index.ts';

/** Limits of one request. Sizes are bytes. */
export interface RequestLimits {
  readonly maxRequestBytes: number;
  readonly maxFilesPerRequest: number;
}

/** Bytes reserved for the text fields and the multipart framing of a request. */
const FRAME_BYTES = 64 * 1024;

/**
 * Splits files among requests, in order, so that none exceeds the server's limits: PHP silently drops files after the 20th.
 * The first request includes the single files (catalogue, image), so they come first. Returns at least one part.
 */
export function splitFiles<F extends { readonly field: string; readonly size: number }>(
  resource: AnyResourceName,
  files: readonly F[],
  limits: RequestLimits,
): F[][] {
  const singles = files.filter(({ field }) => !isRepeated(resource, field));
  const repeated = files.filter(({ field }) => isRepeated(resource, field));
  // a stock back end takes no create without a photo: the first that fits beside the single files goes with them
  const first = repeated.find((file) => fits([...singles, file], limits));
  const ordered = first === undefined ? repeated : [first, ...repeated.filter((file) => file !== first)];
  const parts: F[][] = [[]];
  for (const file of [...singles, ...ordered]) {
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

/** True for a field with several files, to which new ones are added. In other fields a new file replaces the old one. */
export function isRepeated(resource: AnyResourceName, field: string): boolean {
  return fieldOf(resourceOf(resource), field)?.kind === 'images';
}
