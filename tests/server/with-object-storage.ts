import { afterAll, beforeAll, beforeEach, vi } from 'vitest';
import { ObjectStorage, STORAGE_KEY } from '../harness/object-storage.ts';

/** Starts an object storage for the tests of a file, whose keys are in the environment. Each test finds it empty and sound. */
export function withObjectStorage(use: (storage: ObjectStorage) => void): void {
  let storage: ObjectStorage;
  beforeAll(async () => {
    storage = await ObjectStorage.start();
    use(storage);
  });
  beforeEach(() => {
    vi.stubEnv('AWS_ACCESS_KEY_ID', STORAGE_KEY);
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
    storage.reset();
  });
  afterAll(() => {
    vi.unstubAllEnvs();
    storage.stop();
  });
}
