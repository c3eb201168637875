import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { type Disk, exists, fileNames, makeFolder } from '../uploads/disk.ts';

/** How far an upload is: still arriving, whole, or whole and taken by a change, so that it may go when room is needed. */
export type UploadState = 'part' | 'whole' | 'used';

/** An upload of one person, known by the file's hash. Its file's name says all but how much has arrived. */
export interface Upload {
  readonly userId: number;
  /** Lower-case hexadecimal. */
  readonly sha256: string;
  /** Bytes of the whole file. */
  readonly length: number;
  readonly state: UploadState;
}

/** An upload, and when it was last touched, in epoch milliseconds. */
export interface KeptUpload extends Upload {
  readonly touchedAt: number;
}

/** Where staged files are, and by what means. */
export interface StagingPlace {
  /** Absolute path. */
  readonly folder: string;
  readonly disk: Disk;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

const NAME = /^([0-9a-f]{64})\.(\d+)\.(part|whole|used)$/;

/** The files of uploads: a folder for each person, a file for each upload. There is nothing to keep in step with it. */
export class StagingFolder {
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

  /** Bytes that have arrived. */
  async sizeOf(upload: Upload): Promise<number> {
    return (await stat(this.pathOf(upload))).size;
  }

  async of(userId: number): Promise<KeptUpload[]> {
    const uploads = await this.#names(userId);
    const facts = await Promise.all(uploads.map((upload) => stat(this.pathOf(upload)).catch(() => undefined)));
    return uploads.flatMap((upload, index) => {
      const touchedAt = facts[index]?.mtimeMs;
      return touchedAt === undefined ? [] : [{ ...upload, touchedAt }];
    });
  }

  /** Makes an empty upload whose name is on the disk. */
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

  /** Notes that somebody needs it. */
  async touch(upload: Upload): Promise<void> {
    const at = new Date(this.#place.now());
    await utimes(this.pathOf(upload), at, at);
  }

  /** Gives it another state; that is on the disk when it returns. */
  async become(upload: Upload, state: UploadState): Promise<Upload> {
    const next = { ...upload, state };
    await this.#place.disk.rename(this.pathOf(upload), this.pathOf(next));
    await this.#place.disk.flushFolder(this.#folderOf(upload.userId));
    return next;
  }

  /** True when the bytes are those of its hash. Read from the disk piece by piece. */
  async isRight(upload: Upload): Promise<boolean> {
    const hash = createHash('sha256');
    for await (const chunk of createReadStream(this.pathOf(upload)) as AsyncIterable<Buffer>) hash.update(chunk);
    return hash.digest('hex') === upload.sha256;
  }

  remove(upload: Upload): Promise<void> {
    return this.#place.disk.remove(this.pathOf(upload));
  }

  /** Everybody who has uploads. */
  async people(): Promise<number[]> {
    const entries = await readdir(this.#place.folder).catch(() => []);
    return entries.filter((name) => /^\d+$/.test(name)).map(Number);
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
