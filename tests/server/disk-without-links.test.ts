import * as fs from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { realDisk } from '../../server/uploads/disk.ts';
import { freshFolder } from './harness.ts';

vi.mock('node:fs/promises', { spy: true });

// Test files share their modules: those that use the mocked one are loaded anew, and not kept.
vi.hoisted(() => void vi.resetModules());
afterAll(() => void vi.resetModules());

// what Linux reports on exFAT and network shares, besides what it reports between two file systems
test.each(['EXDEV', 'EPERM', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'])(
  'copies a file to its second name where the file system cannot link (%s)',
  async (code) => {
    const folder = await freshFolder();
    const [from, to] = [join(folder, 'from'), join(folder, 'to')];
    await fs.writeFile(from, 'content');
    vi.mocked(fs.link).mockRejectedValueOnce(Object.assign(new Error(`${code}: link`), { code }));
    await realDisk.link(from, to);
    expect(await fs.readFile(to, 'utf8')).toBe('content');
    expect((await fs.stat(to)).ino).not.toBe((await fs.stat(from)).ino);
  },
);
