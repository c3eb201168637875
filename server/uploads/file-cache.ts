import { readdir, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { FileStore } from './file-store.ts';
import { MARKER } from './marker.ts';
import { incomingFolder, type Storage } from './storage.ts';

/** Files requested this recently may be in use. Milliseconds. */
const IN_USE = 60_000;

interface Limits {
  /** Maximum bytes of the folder's copies. */
  readonly most: number;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

interface Present {
  readonly size: number;
  /** Epoch milliseconds. */
  readonly usedAt: number;
}

/** Limits the folder's copies of a remote store's files. Evicts the least recently used first. */
export function withinRoom(store: FileStore, place: Pick<Storage, 'folder' | 'disk'>, limits: Limits): FileStore {
  const cache = new FileCache(place, limits);
  return {
    ...store,
    async keep(names) {
      await store.keep(names);
      await cache.note(names);
    },
    async share(name) {
      await store.share(name);
      await cache.note([name]);
    },
    async fetch(name) {
      await store.fetch(name);
      await cache.note([name]);
    },
    async remove(names) {
      await store.remove(names);
      await cache.forget(names);
    },
  };
}

class FileCache {
  readonly #place: Pick<Storage, 'folder' | 'disk'>;
  readonly #limits: Limits;
  /** By name in the folder, least recently used first. */
  readonly #present = new Map<string, Present>();
  #bytes = 0;
  #loading: Promise<void> | undefined;

  constructor(place: Pick<Storage, 'folder' | 'disk'>, limits: Limits) {
    this.#place = place;
    this.#limits = limits;
  }

  /** Records that files are in use. Missing ones are ignored. */
  async note(names: readonly string[]): Promise<void> {
    await (this.#loading ??= this.#load());
    for (const name of names) {
      const size = this.#present.get(name)?.size ?? (await this.#sizeOf(name))?.size;
      if (size !== undefined) this.#add(name, { size, usedAt: this.#limits.now() });
    }
    await this.#makeRoom();
  }

  async forget(names: readonly string[]): Promise<void> {
    await (this.#loading ??= this.#load());
    for (const name of names) this.#drop(name);
  }

  #add(name: string, file: Present): void {
    this.#drop(name);
    this.#present.set(name, file);
    this.#bytes += file.size;
  }

  #drop(name: string): void {
    this.#bytes -= this.#present.get(name)?.size ?? 0;
    this.#present.delete(name);
  }

  async #makeRoom(): Promise<void> {
    const { most, now } = this.#limits;
    for (const [name, { usedAt }] of this.#present) {
      if (this.#bytes <= most || now() - usedAt < IN_USE) return;
      this.#drop(name);
      await this.#place.disk.remove(join(this.#place.folder, name));
    }
  }

  /** Loads what an earlier run left, oldest first. */
  async #load(): Promise<void> {
    const { folder } = this.#place;
    const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
    const paths = entries
      // the marker of an installation lies here too, and nothing could fetch it again
      .filter(({ name }) => name !== MARKER)
      .filter((entry) => entry.isFile() && entry.parentPath !== incomingFolder(this.#place))
      .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
    const found = await Promise.all(paths.map(async (name) => ({ name, file: await this.#sizeOf(name) })));
    const files = found.flatMap(({ name, file }) => (file === undefined ? [] : [{ name, ...file }]));
    for (const { name, size, mtimeMs } of files.toSorted((one, other) => one.mtimeMs - other.mtimeMs))
      this.#add(name, { size, usedAt: mtimeMs });
  }

  async #sizeOf(name: string) {
    return stat(join(this.#place.folder, name)).catch(() => undefined);
  }
}
