import { browserEnvironment } from '../../../src/offline/storage/browser-environment.ts';
import { enqueue } from '../../../src/offline/outbox/enqueue.ts';
import { ABOUT, inverterDraft, inverterValues } from './drafts.ts';
import { strictScratch, timed } from './scratch-db.ts';

const CHANGES = 100;

/** Sequential runs of the work per second. */
async function rate(work: () => Promise<unknown>): Promise<number> {
  const time = await timed(async () => {
    for (let count = 0; count < CHANGES; count += 1) await work();
  });
  return (CHANGES * 1000) / time;
}

/** Enqueues changes without files. */
export const enqueueExperiments = {
  'enqueue rate': () => rate(() => enqueue(browserEnvironment(), inverterDraft([]), ABOUT)),
  'strict add rate': () => rate(() => strictScratch.changes.add({ values: inverterValues(), files: [] })),
};
