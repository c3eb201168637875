import { badLinkExperiments } from './bad-link.ts';
import { cacheExperiments } from './cache.ts';
import { drainExperiments } from './drain.ts';
import { enqueueExperiments } from './enqueue.ts';
import { saveExperiments } from './save.ts';

/** All experiments. Each returns its figure: milliseconds, or a rate per second. */
const experiments = {
  ...badLinkExperiments,
  ...cacheExperiments,
  ...saveExperiments,
  ...enqueueExperiments,
  ...drainExperiments,
};

export type ExperimentName = keyof typeof experiments;

Object.assign(globalThis, { experiments });
