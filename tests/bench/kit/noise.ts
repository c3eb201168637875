import { loadavg } from 'node:os';
import { median, quantile } from './statistics.ts';

const ROUNDS = 3_000_000;
const times: number[] = [];

/** Times a fixed piece of work. Its variation over the run is the machine's noise. */
export function recordNoise(): void {
  const began = performance.now();
  let sum = 0;
  for (let round = 0; round < ROUNDS; round += 1) sum = (sum * 31 + round) % 1_000_003;
  if (sum >= 0) times.push(performance.now() - began);
}

/** One line about the machine's noise during the run. */
export function noiseText(): string {
  if (times.length === 0) recordNoise();
  const middle = median(times);
  const slow = quantile(times, 0.9) / middle;
  return `Machine: a fixed piece of work took ${middle.toFixed(1)} ms (one in ten ${slow.toFixed(2)} × that or more); load ${loadavg()[0]?.toFixed(1)}.`;
}
