/** A part of a file: its first and last byte, counted from 0. */
export interface ByteRange {
  readonly first: number;
  readonly last: number;
}

/** The whole file, a part of it, or an unsatisfiable range. */
export type Wanted = 'whole' | 'none' | ByteRange;

const ONE_RANGE = /^bytes=(\d*)-(\d*)$/;

/**
 * Parses a Range header for a file of `size` bytes (RFC 9110, 14.1.2). Several ranges, other units and invalid ranges yield the
 * whole file, as the RFC allows.
 */
export function rangeOf(header: string | undefined, size: number): Wanted {
  const [, from = '', to = ''] = ONE_RANGE.exec(header ?? '') ?? [];
  if (from === '' && to === '') return 'whole';
  const first = from === '' ? Math.max(0, size - Number(to)) : Number(from);
  const last = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1);
  if (from !== '' && to !== '' && Number(to) < first) return 'whole';
  return first < size ? { first, last } : 'none';
}
