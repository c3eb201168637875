import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { type Disk, exists, fileNames, makeFolder, type NewFile } from '../uploads/disk.ts';
import type { KeptUpload, Upload, UploadState, UploadStore } from './upload-store.ts';

/** The folder of staged files, and the means to work in it. */
export interface StagingPlace {
  /** Absolute path. */
  readonly folder: string;
  readonly disk: Disk;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

const NAME = /^([0-9a-f]{64})\.(\d+)\.(part|whole|used)$/;

/**
 * Stores uploads as files: a folder per person and a file per upload. The name holds all of its state except the bytes
 * received, so there is no other state to keep in sync.
 */
export class StagingFolder implements UploadStore {
  readonly #place: StagingPlace;

  constructor(place: StagingPlace) {
    this.#place = place;
  }

  pathOf(upload: Upload): string {
    const { userId, sha256, length, state } = upload;
    return join(this.#folderOf(userId), `${sha256}.${length}.${state}`);
  }

  async find(userId: number, sha256: string): Promise<Upload | undefined> {
    return (await this.#names(userId)).find((upload) => upload.sha256 === sha256);
  }

  async sizeOf(upload: Upload): Promise<number> {
    return (await stat(this.pathOf(upload))).size;
  }

  async of(userId: number): Promise<KeptUpload[]> {
    const uploads = await this.#names(userId);
    const facts = await Promise.all(uploads.map((upload) => stat(this.pathOf(upload)).catch(() => undefined)));
    return uploads.flatMap((upload, index) => {
      const touchedAt = facts[index]?.mtimeMs;
      return touchedAt === undefined ? [] : [{ ...upload, restsFor: this.#place.now() - touchedAt }];
    });
  }

  async begin(upload: Upload): Promise<void> {
    const { disk } = this.#place;
    const folder = this.#folderOf(upload.userId);
    if (!(await exists(folder))) {
      await makeFolder(folder);
      await disk.flushFolder(this.#place.folder);
    }
    await (await disk.append(this.pathOf(upload))).close();
    await disk.flushFolder(folder);
    await this.touch(upload);
  }

  /** Flushes the file: data written by a killed server may not be on the disk yet. */
  settle(upload: Upload): Promise<void> {
    return this.#place.disk.flush(this.pathOf(upload));
  }

  open(upload: Upload): Promise<NewFile> {
    return this.#place.disk.append(this.pathOf(upload));
  }

  async touch(upload: Upload): Promise<void> {
    const at = new Date(this.#place.now());
    await utimes(this.pathOf(upload), at, at);
  }

  async become(upload: Upload, state: UploadState): Promise<Upload> {
    const next = { ...upload, state };
    await this.#place.disk.rename(this.pathOf(upload), this.pathOf(next));
    await this.#place.disk.flushFolder(this.#folderOf(upload.userId));
    return next;
  }

  async isRight(upload: Upload): Promise<boolean> {
    const hash = createHash('sha256');
    for await (const chunk of createReadStream(this.pathOf(upload)) as AsyncIterable<Buffer>) hash.update(chunk);
    return hash.digest('hex') === upload.sha256;
  }

  remove(upload: Upload): Promise<void> {
    return this.#place.disk.remove(this.pathOf(upload));
  }

  /** Links the file under a second name. Removes one that the disk has damaged, so that its device sends it again. */
  async copy(upload: Upload, path: string): Promise<boolean> {
    if (!(await this.isRight(upload))) {
      await this.remove(upload);
      return false;
    }
    await this.#place.disk.link(this.pathOf(upload), path);
    return true;
  }

  async removeResting(milliseconds: number): Promise<void> {
    const entries = await readdir(this.#place.folder).catch(() => []);
    for (const userId of entries.filter((name) => /^\d+$/.test(name)).map(Number)) {
      const old = (await this.of(userId)).filter(({ restsFor }) => restsFor > milliseconds);
      for (const upload of old) await this.remove(upload);
    }
  }

  async #names(userId: number): Promise<Upload[]> {
    return (await fileNames(this.#folderOf(userId))).flatMap((name) => {
      const [, sha256, length, state] = NAME.exec(name) ?? [];
      if (sha256 === undefined) return [];
      return [{ userId, sha256, length: Number(length), state: state as UploadState }];
    });
  }

  #folderOf(userId: number): string {
    return join(this.#place.folder, String(userId));
  }
}
