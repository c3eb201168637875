import { type Disk, realDisk } from '../../server/uploads/disk.ts';

/** The disk of this machine, and in which order files were flushed and got their names. */
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
