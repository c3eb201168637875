import * as fs from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { realDisk } from '../../server/uploads/disk.ts';
import { freshFolder } from './harness.ts';

vi.mock('node:fs/promises', { spy: true });

// what Linux says on exFAT and network shares, beside what it says between two file systems
test.each(['EXDEV', 'EPERM', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'])(
  'a file gets its second name by a copy where the file system makes no link (%s)',
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
