import { cpSync, existsSync, renameSync, rmSync, statSync, truncateSync } from 'node:fs';
import { basename, join } from 'node:path';
import { openSqlite } from '../../server/stores/sqlite/sqlite.ts';
import { type Disk, type NewFile, realDisk } from '../../server/uploads/disk.ts';

/**
 * Copies the data folder at every disk operation and every statement, in the state that a crash at that moment would leave:
 * once as after a kill (all writes are kept) and once as after a power cut (unflushed writes are lost). `watches` selects
 * the files. Others are neither copied nor observed.
 */
export function witness(dataDir: string, copies: string, watches: (path: string) => boolean) {
  const unflushed = new Set<string>();
  /** Flushed bytes of each file being appended to. */
  const flushed = new Map<string, number>();
  const renamed = new Map<string, string>();
  /** Files created by an append whose folder is not flushed yet. */
  const unnamed = new Set<string>();
  const taken: { readonly name: string; readonly folder: string }[] = [];
  let armed = false;
  const copyTo = (name: string, spoil: (path: (original: string) => string) => void) => {
    const folder = join(copies, String(taken.length));
    cpSync(dataDir, folder, { recursive: true, filter: (path) => watches(path) && !path.endsWith('reserve') });
    rmSync(join(folder, 'voltdesk.sqlite-shm'), { force: true });
    spoil((original) => original.replace(dataDir, folder));
    taken.push({ name, folder });
  };
  const step = (name: string) => {
    if (!armed) return;
    copyTo(`killed: ${name}`, () => undefined);
    copyTo(`power cut: ${name}`, (there) => {
      // Other steps run concurrently. Files that they have not created yet, or have removed, are missing.
      for (const path of unflushed) if (existsSync(there(path))) truncateSync(there(path), flushed.get(path) ?? 0);
      for (const path of unnamed) rmSync(there(path), { force: true });
      for (const [to, from] of renamed) if (existsSync(there(to))) renameSync(there(to), there(from));
    });
  };
  const watchedFile = (path: string, file: NewFile): NewFile => {
    unflushed.add(path);
    return {
      write: async (bytes) => {
        await file.write(bytes.subarray(0, bytes.length / 2));
        step('half way through a write');
        await file.write(bytes.subarray(bytes.length / 2));
      },
      flush: async () => {
        step('before flush');
        await file.flush();
        unflushed.delete(path);
      },
      close: file.close,
    };
  };
  const watched: Disk = {
    async create(path) {
      step(`before create ${basename(path)}`);
      return watchedFile(path, await realDisk.create(path));
    },
    async append(path) {
      step(`before append ${basename(path)}`);
      if (!existsSync(path)) unnamed.add(path);
      if (!unflushed.has(path)) flushed.set(path, existsSync(path) ? statSync(path).size : 0);
      return watchedFile(path, await realDisk.append(path));
    },
    async link(from, to) {
      step('before link');
      await realDisk.link(from, to);
    },
    flush: async (path) => {
      step('before flush');
      await realDisk.flush(path);
      unflushed.delete(path);
    },
    rename: async (from, to) => {
      step('before rename');
      renamed.set(to, from);
      if (unflushed.delete(from)) unflushed.add(to);
      await realDisk.rename(from, to);
    },
    flushFolder: async (path) => {
      step('before the folder is flushed');
      await realDisk.flushFolder(path);
      renamed.clear();
      unnamed.clear();
    },
    remove: async (path) => {
      step('before remove');
      await realDisk.remove(path);
      unflushed.delete(path);
      renamed.delete(path);
    },
  };
  const diskFor = (path: string) => (watches(path) ? watched : realDisk);
  const disk: Disk = {
    create: (path) => diskFor(path).create(path),
    append: (path) => diskFor(path).append(path),
    link: (from, to) => diskFor(to).link(from, to),
    flush: (path) => diskFor(path).flush(path),
    rename: (from, to) => diskFor(to).rename(from, to),
    flushFolder: (path) => diskFor(path).flushFolder(path),
    remove: (path) => diskFor(path).remove(path),
  };
  const openWatched: typeof openSqlite = (path) => {
    const database = openSqlite(path);
    const prepare = database.prepare.bind(database);
    database.prepare = (sql) => {
      const statement = prepare(sql);
      for (const verb of ['run', 'all'] as const) {
        const carryOut = statement[verb].bind(statement) as (...given: never[]) => never;
        Object.assign(statement, {
          [verb]: (...given: never[]) => (step(`before ${sql.slice(0, 40)}`), carryOut(...given)),
        });
      }
      return statement;
    };
    return database;
  };
  return { disk, openSqlite: openWatched, taken, arm: (on: boolean) => (armed = on), step };
}
