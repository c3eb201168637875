import { type Disk, realDisk } from '../../server/uploads/disk.ts';

/** This machine's disk, with a record of the order in which files were flushed and named. */
export function notedDisk() {
  const steps: string[] = [];
  const disk: Disk = {
    ...realDisk,
    async create(path) {
      const file = await realDisk.create(path);
      return { ...file, flush: async () => (await file.flush(), void steps.push('flushed')) };
    },
    rename: async (from, to) => (await realDisk.rename(from, to), void steps.push('named')),
  };
  return { disk, steps };
}
