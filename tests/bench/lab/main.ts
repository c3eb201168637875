import { badLinkExperiments } from './bad-link.ts';
import { cacheExperiments } from './cache.ts';
import { drainExperiments } from './drain.ts';
import { enqueueExperiments } from './enqueue.ts';
import { saveExperiments } from './save.ts';

/** Everything that can be timed here: each answers its figure, a time in milliseconds or a number a second. */
const experiments = {
  ...badLinkExperiments,
  ...cacheExperiments,
  ...saveExperiments,
  ...enqueueExperiments,
  ...drainExperiments,
};

export type ExperimentName = keyof typeof experiments;

Object.assign(globalThis, { experiments });
