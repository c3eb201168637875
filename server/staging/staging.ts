import { open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { Refusal } from '../errors/refusal.ts';
import { KeyedQueue } from '../concurrency/keyed-queue.ts';
import type { NewFile } from '../uploads/disk.ts';
import { HEAD_BYTES, mayBeTaken } from '../uploads/sniff.ts';
import { beyondLength, notTaken, noUpload, tooLarge, wrongHash, wrongOffset } from './refusals.ts';
import { isUsed, makeRoom } from './room.ts';
import type { KeptUpload, Upload, UploadStore } from './upload-store.ts';

/** Dependencies of staging. Sizes in bytes. */
interface StagingWorld {
  readonly uploads: UploadStore;
  readonly maxFileBytes: number;
  /** Maximum for all uploads of one person. */
  readonly maxStagedBytes: number;
  /** Ensures that the disk has space for something new. Throws the disk's error. */
  readonly keepRoom?: () => Promise<void>;
}

/** The durable progress of an upload. */
export interface Progress {
  readonly offset: number;
  readonly length: number;
}

/** Bytes of a file from an offset. */
export interface Piece {
  readonly offset: number;
  readonly content: Readable;
  /** The piece may begin a little before the end of the upload. Bytes already there are skipped. */
  readonly mayOverlap?: boolean;
}

/** A complete file on the disk that was not staged. */
export interface WholeFile {
  readonly sha256: string;
  /** Bytes. */
  readonly size: number;
  readonly path: string;
}

/**
 * Maximum overlap of a piece, in bytes. Pieces on a slow link are smaller than that, and a round trip for the offset would
 * cost more than it saves.
 */
const MOST_OVERLAP = 256 * 1024;
/** Uploads untouched for this long are removed. Milliseconds. */
const KEPT_FOR = 30 * 24 * 60 * 60 * 1000;

/**
 * Staged files: they arrive before their change, piece by piece. Each person has their own uploads, identified by the hash
 * of the file. All reported progress is durable. An upload receives one piece at a time, and the newest sender wins, since
 * the earlier one is on a lost connection.
 */
export class Staging {
  readonly #world: StagingWorld;
  readonly #uploads: UploadStore;
  /** Serializes work per upload, and per person for what renames or evicts files. */
  readonly #queue = new KeyedQueue();
  /** Pieces in flight, by upload. */
  readonly #arriving = new Map<string, Readable>();
  /** The newest sender, by upload. */
  readonly #newest = new Map<string, symbol>();

  constructor(world: StagingWorld) {
    this.#world = world;
    this.#uploads = world.uploads;
  }

  /** The progress of an upload. Undefined if this person has no such upload. */
  progress(userId: number, sha256: string): Promise<Progress | undefined> {
    return this.#alone(userId, sha256, async () => {
      const upload = await this.#settled(userId, sha256);
      return upload && this.#progressOf(upload);
    });
  }

  /** Starts or resumes an upload. Throws 413 if it is too large, 507 if it exceeds the person's quota. */
  begin(userId: number, sha256: string, length: number): Promise<Progress> {
    const { maxFileBytes } = this.#world;
    if (length > maxFileBytes) throw tooLarge(length, maxFileBytes);
    return this.#alone(userId, sha256, async () => {
      const known = await this.#settled(userId, sha256);
      if (known?.length === length) return this.#progressOf(known);
      // one of the two lengths is wrong; the hash will decide
      if (known !== undefined && known.state !== 'part') throw wrongHash();
      if (known !== undefined) await this.#uploads.remove(known);
      await this.#queue.run(String(userId), () => this.#beginNew({ userId, sha256, length, state: 'part' }));
      return { offset: 0, length };
    });
  }

  /**
   * Writes a piece. If it is cut off, the bytes received stay. Throws 404, 409 for another offset (a later one, or one too
   * far before if it may overlap), 413 beyond the length, 415 for a type that no field accepts, and 460 if the complete file
   * does not match its hash, which removes it.
   */
  append(userId: number, sha256: string, piece: Piece): Promise<Progress> {
    return this.#alone(userId, sha256, async (isNewest) => {
      const upload = await this.#uploads.find(userId, sha256);
      if (upload === undefined) throw noUpload();
      const { offset: present } = await this.#progressOf(upload);
      if (!goesOn(piece, present) || !isNewest()) throw wrongOffset(present);
      if (upload.state === 'part') await this.#receive(upload, present, piece);
      return this.#progressOf(await this.#completed(upload));
    });
  }

  /** Removes an upload. Returns false if there is none. */
  drop(userId: number, sha256: string): Promise<boolean> {
    return this.#alone(userId, sha256, async () => {
      const upload = await this.#uploads.find(userId, sha256);
      if (upload !== undefined) await this.#uploads.remove(upload);
      return upload !== undefined;
    });
  }

  /**
   * Links a complete file under a second name, for a change that uses it. Returns its size. Undefined if it is not there.
   */
  async take(userId: number, sha256: string, path: string): Promise<number | undefined> {
    return this.#queue.run(String(userId), async () => {
      const upload = await this.#uploads.find(userId, sha256);
      if (upload === undefined || upload.state === 'part') return undefined;
      return (await this.#uploads.copy(upload, path)) ? upload.length : undefined;
    });
  }

  /** Records that a change has used these files. They stay for another one as long as there is space. */
  async noteUse(userId: number, hashes: readonly string[]): Promise<void> {
    await this.#queue.run(String(userId), async () => {
      for (const sha256 of new Set(hashes)) {
        const upload = await this.#uploads.find(userId, sha256);
        if (upload === undefined || upload.state === 'part') continue;
        await this.#uploads.touch(await this.#uploads.become(upload, 'used'));
      }
    });
  }

  /**
   * Keeps the files of an applied change as if they had been staged for it, if they fit beside what waits for a change.
   * Completes an upload of the same file that is in progress. Calls `onLost` with the reason if one is not kept.
   */
  async adopt(userId: number, files: readonly WholeFile[], onLost: (error: unknown) => void): Promise<void> {
    for (const file of await this.#adoptTogether(userId, files)) await this.#adoptOne(userId, file).catch(onLost);
  }

  /** Removes uploads untouched for 30 days, of all people. */
  sweep(): Promise<void> {
    return this.#uploads.removeResting(KEPT_FOR);
  }

  /** The upload, verified if all of it is there: a killed server may not have done so. */
  async #settled(userId: number, sha256: string): Promise<Upload | undefined> {
    const upload = await this.#uploads.find(userId, sha256);
    if (upload === undefined) return undefined;
    if (upload.state === 'part') await this.#uploads.settle(upload);
    return this.#completed(upload).catch((error: unknown) => {
      if (error instanceof Refusal) return undefined;
      throw error;
    });
  }

  async #progressOf(upload: Upload): Promise<Progress> {
    const { length, state } = upload;
    return { length, offset: state === 'part' ? await this.#uploads.sizeOf(upload) : length };
  }

  /** Adopts unknown files, in one step if the store supports it. Returns the remaining ones. */
  async #adoptTogether(userId: number, files: readonly WholeFile[]): Promise<readonly WholeFile[]> {
    if (this.#uploads.takeFiles === undefined) return files;
    const known = new Set((await this.#uploads.of(userId)).map(({ sha256 }) => sha256));
    const fresh = new Map(files.filter(({ sha256 }) => !known.has(sha256)).map((file) => [file.sha256, file]));
    if (fresh.size === 0) return files;
    const uploads = Array.from(fresh.values(), ({ sha256, size, path }) => {
      return { userId, sha256, length: size, state: 'part', path } as const;
    });
    try {
      await this.#keepRoom();
      await this.#uploads.takeFiles(uploads, () => {
        return this.#queue.run(String(userId), () =>
          makeRoom(this.#uploads, uploads, { ...this.#world, mayGo: isUsed }),
        );
      });
    } catch {
      // they do not all fit, or one does not match its hash: the others may still be kept
      return files;
    }
    return files.filter(({ sha256 }) => known.has(sha256));
  }

  #adoptOne(userId: number, file: WholeFile): Promise<void> {
    const { sha256, size: length } = file;
    return this.#alone(userId, sha256, async () => {
      const known = await this.#settled(userId, sha256);
      if (known?.state === 'part' && known.length === length) return void (await this.#fill(known, file));
      if (known !== undefined) return this.#uploads.touch(known);
      const upload: Upload = { userId, sha256, length, state: 'part' };
      await this.#queue.run(String(userId), () => this.#beginNew(upload, isUsed));
      const adopting = this.#fill(upload, file).then((whole) => this.#uploads.become(whole, 'used'));
      await adopting.catch(async (error: unknown) => {
        await this.#uploads.remove(upload);
        throw error;
      });
    });
  }

  async #fill(upload: Upload, { path }: WholeFile): Promise<Upload> {
    const { offset } = await this.#progressOf(upload);
    // Opened first: a stream that fails to open before it is read would end the server.
    const content = (await open(path)).createReadStream({ start: offset });
    await this.#receive(upload, offset, { offset, content }).finally(() => content.destroy());
    return this.#completed(upload);
  }

  async #beginNew(upload: Upload, mayGo?: (one: KeptUpload) => boolean): Promise<void> {
    await this.#keepRoom();
    await this.#uploads.begin(upload);
    await makeRoom(this.#uploads, [upload], { ...this.#world, mayGo }).catch(async (error: unknown) => {
      await this.#uploads.remove(upload);
      throw error;
    });
  }

  async #keepRoom(): Promise<void> {
    await this.sweep();
    await this.#world.keepRoom?.();
  }

  async #receive(upload: Upload, present: number, { offset, content }: Piece): Promise<void> {
    const name = nameOf(upload.userId, upload.sha256);
    const file = await this.#uploads.open(upload, present);
    let isKept = true;
    this.#arriving.set(name, content);
    try {
      const fresh = behind(content, present - offset);
      await write(fresh, file, { offset: present, length: upload.length }).finally(() => this.#uploads.touch(upload));
    } catch (error) {
      isKept = !(error instanceof Refusal && error.status === 415);
      if (!isKept) await this.#uploads.remove(upload);
      throw error;
    } finally {
      if (this.#arriving.get(name) === content) this.#arriving.delete(name);
      await (isKept ? file.flush() : Promise.resolve()).finally(() => file.close());
    }
  }

  /** Marks the upload as complete once every byte is there and matches. */
  async #completed(upload: Upload): Promise<Upload> {
    if (upload.state !== 'part' || (await this.#uploads.sizeOf(upload)) < upload.length) return upload;
    if (await this.#uploads.isRight(upload)) return this.#uploads.become(upload, 'whole');
    await this.#uploads.remove(upload);
    throw wrongHash();
  }

  async #alone<T>(userId: number, sha256: string, task: (isNewest: () => boolean) => Promise<T>): Promise<T> {
    const name = nameOf(userId, sha256);
    const self = Symbol(name);
    this.#newest.set(name, self);
    this.#arriving.get(name)?.destroy();
    const isNewest = () => this.#newest.get(name) === self;
    try {
      return await this.#queue.run(name, () => task(isNewest));
    } finally {
      if (isNewest()) this.#newest.delete(name);
    }
  }
}

function goesOn({ offset, mayOverlap = false }: Piece, present: number): boolean {
  return offset === present || (mayOverlap && offset < present && present - offset <= MOST_OVERLAP);
}

/** Skips the given number of bytes. */
async function* behind(content: Readable, bytes: number): AsyncGenerator<Buffer> {
  let left = bytes;
  // the connection belongs to the response, which drops the rest
  for await (const chunk of content.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    const rest = chunk.subarray(left);
    left = Math.max(0, left - chunk.length);
    if (rest.length > 0) yield rest;
  }
}

/** Writes a stream to a file, up to its length, and checks how the file begins. */
async function write(content: AsyncIterable<Buffer>, file: NewFile, { offset, length }: Progress): Promise<void> {
  let head = Buffer.alloc(0);
  let end = offset;
  for await (const chunk of content) {
    if (end + chunk.length > length) throw beyondLength();
    if (offset === 0 && head.length < HEAD_BYTES) {
      head = Buffer.concat([head, chunk.subarray(0, HEAD_BYTES)]);
      if (head.length >= HEAD_BYTES && !mayBeTaken(head)) throw notTaken();
    }
    await file.write(chunk);
    end += chunk.length;
  }
}

function nameOf(userId: number, sha256: string): string {
  return `${userId}/${sha256}`;
}
