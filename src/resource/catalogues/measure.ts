import { uploadFacts } from '../../api/uploads.ts';

/** How much some catalogues are together. */
export interface Measured {
  /** Bytes. */
  readonly bytes: number;
  /** False where only some of them were asked for. */
  readonly exact: boolean;
}

/** So many are asked for at most: a thousand questions would cost a thin link a minute. */
const ASKED = 24;
const AT_ONCE = 4;

/**
 * Asks the server how large catalogues are; of many, some, spread over all of them. `kept` are those that are here, with their
 * sizes. Undefined where nothing can be told.
 */
export async function measure(
  addresses: readonly string[],
  kept: ReadonlyMap<string, number>,
): Promise<Measured | undefined> {
  const known = addresses.map((address) => kept.get(address)).filter((bytes) => bytes !== undefined);
  const missing = addresses.filter((address) => !kept.has(address));
  const sizes: number[] = [];
  const asked = spread(missing, ASKED);
  for (let at = 0; at < asked.length; at += AT_ONCE) {
    const facts = await Promise.all(asked.slice(at, at + AT_ONCE).map(uploadFacts));
    sizes.push(...facts.map(({ size }) => size).filter((size) => size !== undefined));
    if (sizes.length === 0) return undefined;
  }
  const rest = sizes.length === 0 ? 0 : (sum(sizes) / sizes.length) * missing.length;
  return { bytes: Math.round(sum(known) + rest), exact: sizes.length === missing.length };
}

function spread<T>(all: readonly T[], most: number): T[] {
  const step = Math.max(1, all.length / most);
  return Array.from({ length: Math.min(most, all.length) }, (_, at) => all[Math.floor(at * step)]).filter(
    (one) => one !== undefined,
  );
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
