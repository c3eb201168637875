import { createHash } from 'node:crypto';

/** The share of mutants to test, from 0 to 1, and the seed of the sample: the same seed draws the same mutants. */
const SHARE = Number(process.env['MUTATION_SHARE'] ?? 1);
const SEED = process.env['MUTATION_SEED'] ?? '1';

/**
 * A checker for Stryker that passes a random sample of the mutants. The others count as compile errors: they are not tested
 * and are part of no score.
 */
class Sample {
  async init() {}

  /** @param {readonly import('@stryker-mutator/core').Mutant[]} mutants */
  async check(mutants) {
    const results = mutants.map((mutant) => [mutant.id, isDrawn(mutant) ? { status: 'passed' } : NOT_DRAWN]);
    return Object.fromEntries(results);
  }
}

const NOT_DRAWN = { status: 'compileError', reason: 'Not in the sample.' };

function isDrawn({ fileName, location, replacement }) {
  const { start, end } = location;
  const place = [fileName.slice(fileName.lastIndexOf('/src/')), start.line, start.column, end.line, end.column];
  const digest = createHash('sha256')
    .update([SEED, ...place, replacement].join('\n'))
    .digest();
  return digest.readUInt32BE(0) / 2 ** 32 < SHARE;
}

export const strykerPlugins = [{ kind: 'Checker', name: 'sample', injectableClass: Sample }];
