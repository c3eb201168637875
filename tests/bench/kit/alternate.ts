import { recordNoise } from './noise.ts';

/**
 * Measures every subject in turn, `times` times. Each round reverses the order of the one before, so that other load on the
 * machine affects all subjects alike.
 */
export async function alternate<Name extends string, Value = number>(
  times: number,
  subjects: Readonly<Record<Name, () => Promise<Value>>>,
): Promise<Record<Name, Value[]>> {
  const names = Object.keys(subjects) as Name[];
  const samples = Object.fromEntries(names.map((name) => [name, [] as Value[]])) as Record<Name, Value[]>;
  for (let round = 0; round < times; round += 1) {
    recordNoise();
    for (const name of round % 2 === 0 ? names : names.toReversed()) samples[name].push(await subjects[name]());
  }
  return samples;
}
