import { afterEach, expect, it, vi } from 'vitest';
import { picture, wholeWorker } from './support/whole-worker.ts';

afterEach(() => vi.unstubAllGlobals());

it('a picture that was on its way at log-out is not kept for the next person', async () => {
  const worker = await wholeWorker();
  const coming = Promise.withResolvers<Response>();
  worker.network.answer = () => picture('earlier');
  const earlier = worker.request('/uploads/earlier.webp', 'image');
  await (await earlier.answer)?.text();
  await earlier.over();
  worker.network.answer = () => coming.promise;
  const event = worker.request('/uploads/a.webp', 'image');
  await new Promise((resolve) => setTimeout(resolve, 10));
  // the page logs out: src/offline/cache/cache.ts removeCopies
  const { IMAGE_CACHE, removeFileCache } = await import('../../src/offline/storage/file-caches.ts');
  await removeFileCache(IMAGE_CACHE);
  expect(await worker.caches.has(IMAGE_CACHE)).toBe(false);
  coming.resolve(picture('bytes'));
  await (await event.answer)?.text();
  await event.over();
  worker.network.answer = () => Promise.reject(new TypeError('Failed to fetch'));
  const seen = worker.request('/uploads/a.webp', 'image');
  const text = await Promise.resolve(seen.answer).then(
    (answer) => answer?.text(),
    () => undefined,
  );
  expect(text).toBeUndefined();
});
