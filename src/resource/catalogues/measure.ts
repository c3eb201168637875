import { uploadFacts } from '../../api/uploads.ts';

/** The total size of some catalogues. */
export interface Measured {
  /** Bytes. */
  readonly bytes: number;
  /** False if the total is extrapolated from some of them. */
  readonly exact: boolean;
}

/** Maximum number of requests. A thousand would take a minute on a slow link. */
const ASKED = 24;
const AT_ONCE = 4;

/**
 * Asks the server for the sizes of catalogues. Of many, it samples some, spread evenly. `kept` holds the sizes of those on
 * this device. Resolves to undefined if no size can be determined.
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
