import { browserEnvironment } from '../../../src/offline/browser-environment.ts';
import { enqueue } from '../../../src/offline/enqueue.ts';
import { randomBlob, strictScratch, timed } from './scratch-db.ts';
import { ABOUT, inverterDraft, inverterValues } from './drafts.ts';

const PHOTO_BYTES = 2_000_000;

/** As a form has them when Save is pressed: made small, their bytes in memory. */
const photos = Array.from({ length: 3 }, () => randomBlob(PHOTO_BYTES, 'image/jpeg'));

function draft() {
  const files = photos.map((blob, index) => ({ field: 'images', blob, name: `photo-${index}.jpg`, type: blob.type }));
  return inverterDraft(files);
}

function oneStrictTransaction() {
  const { changes, files } = strictScratch;
  return strictScratch.transaction('rw', changes, files, async () => {
    const ids = photos.map(() => crypto.randomUUID());
    await changes.add({ values: inverterValues(), files: ids });
    await files.bulkAdd(photos.map((bytes, index) => ({ id: ids[index] ?? '', bytes })));
  });
}

/** From the press of Save, with three photos ready, to "Saved on this device". */
export const saveExperiments = {
  'save with photos': () => timed(() => enqueue(browserEnvironment(), draft(), ABOUT)),
  'one strict transaction': () => timed(oneStrictTransaction),
};
