import { browserEnvironment } from '../../../src/offline/storage/browser-environment.ts';
import { enqueue } from '../../../src/offline/outbox/enqueue.ts';
import { sha256 } from '../../../src/offline/storage/files.ts';
import { randomBlob, strictScratch, timed } from './scratch-db.ts';
import { ABOUT, inverterDraft, inverterValues } from './drafts.ts';

const PHOTO_BYTES = 2_000_000;

/** Photos as a form holds them at Save: resized and hashed, with their bytes in memory. */
const photos = Array.from({ length: 3 }, () => randomBlob(PHOTO_BYTES, 'image/jpeg'));
const files = Promise.all(
  photos.map(async (blob, index) => ({
    field: 'images',
    blob,
    name: `photo-${index}.jpg`,
    type: blob.type,
    sha256: await sha256(await blob.arrayBuffer()),
  })),
);

function oneStrictTransaction() {
  const { changes } = strictScratch;
  return strictScratch.transaction('rw', changes, strictScratch.files, async () => {
    const ids = photos.map(() => crypto.randomUUID());
    await changes.add({ values: inverterValues(), files: ids });
    await strictScratch.files.bulkAdd(photos.map((bytes, index) => ({ id: ids[index] ?? '', bytes })));
  });
}

/** From pressing Save, with three photos ready, to "Saved on this device". */
export const saveExperiments = {
  'save with photos': async () => {
    const ready = await files;
    return timed(() => enqueue(browserEnvironment(), inverterDraft(ready), ABOUT));
  },
  'one strict transaction': () => timed(oneStrictTransaction),
};
