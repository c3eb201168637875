/** The quantile at `share` (0 to 1), with linear interpolation. */
export function quantile(sample: readonly number[], share: number): number {
  const sorted = sample.toSorted((a, b) => a - b);
  const place = (sorted.length - 1) * share;
  const below = sorted[Math.floor(place)] ?? Number.NaN;
  const above = sorted[Math.ceil(place)] ?? Number.NaN;
  return below + (above - below) * (place - Math.floor(place));
}

export function median(sample: readonly number[]): number {
  return quantile(sample, 0.5);
}

/** Half the interquartile range, relative to the median. */
export function spread(sample: readonly number[]): number {
  return (quantile(sample, 0.75) - quantile(sample, 0.25)) / 2 / median(sample);
}
