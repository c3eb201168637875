import type { NewFile } from '../uploads/disk.ts';

/** The state of an upload: arriving, complete, or complete and used by a change, so that it may be evicted. */
export type UploadState = 'part' | 'whole' | 'used';

/** An upload of one person, identified by the hash of the file. */
export interface Upload {
  readonly userId: number;
  /** Lower-case hexadecimal. */
  readonly sha256: string;
  /** Bytes of the complete file. */
  readonly length: number;
  readonly state: UploadState;
}

/** An upload, and a file on the disk with all of its bytes. */
export interface UploadedFile extends Upload {
  readonly path: string;
}

/** An upload, and the milliseconds since it was last touched. */
export interface KeptUpload extends Upload {
  readonly restsFor: number;
}

/**
 * The storage of uploads: a folder of the only server, or a database shared by several. Every write is durable when it
 * returns.
 */
export interface UploadStore {
  find(userId: number, sha256: string): Promise<Upload | undefined>;
  /** Bytes received. */
  sizeOf(upload: Upload): Promise<number>;
  of(userId: number): Promise<KeptUpload[]>;
  /** Creates an empty upload. */
  begin(upload: Upload): Promise<void>;
  /** Makes the bytes received durable, and prevents earlier senders from adding more. */
  settle(upload: Upload): Promise<void>;
  /**
   * Opens the upload for appending at `size`, its end. Throws 409 if it ends elsewhere, also while writing: then someone
   * else is sending.
   */
  open(upload: Upload, size: number): Promise<NewFile>;
  /** Records that the upload is needed. */
  touch(upload: Upload): Promise<void>;
  /** Changes the state. */
  become(upload: Upload, state: UploadState): Promise<Upload>;
  /** True if the bytes match the hash. Reads them piece by piece. */
  isRight(upload: Upload): Promise<boolean>;
  /** Writes the bytes of a complete upload to a path on the disk. Returns false if they are gone. */
  copy(upload: Upload, path: string): Promise<boolean>;
  /**
   * Adds files on the disk as new uploads of one person that a change has used. They may be lost in a crash. `makeRoom` runs
   * once they are counted. Uploads that someone else is already sending are left alone. Throws its errors, and 460 if the
   * bytes of one do not match its hash; then none are kept. Absent if it is no faster than `open`.
   */
  takeFiles?(files: readonly UploadedFile[], makeRoom: () => Promise<void>): Promise<void>;
  remove(upload: Upload): Promise<void>;
  /** Removes uploads untouched for this many milliseconds, of all people. */
  removeResting(milliseconds: number): Promise<void>;
}
