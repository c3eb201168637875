import type { NewFile } from '../uploads/disk.ts';

/** How far an upload is: still arriving, whole, or whole and taken by a change, so that it may go when room is needed. */
export type UploadState = 'part' | 'whole' | 'used';

/** An upload of one person, known by the file's hash. */
export interface Upload {
  readonly userId: number;
  /** Lower-case hexadecimal. */
  readonly sha256: string;
  /** Bytes of the whole file. */
  readonly length: number;
  readonly state: UploadState;
}

/** An upload, and a file of the disk with all of its bytes. */
export interface UploadedFile extends Upload {
  readonly path: string;
}

/** An upload, and for how long nobody has touched it, in milliseconds. */
export interface KeptUpload extends Upload {
  readonly restsFor: number;
}

/** Where uploads are: a folder of the only server, or a database that several share. What it has taken is there for good when it returns. */
export interface UploadStore {
  find(userId: number, sha256: string): Promise<Upload | undefined>;
  /** Bytes that have arrived. */
  sizeOf(upload: Upload): Promise<number>;
  of(userId: number): Promise<KeptUpload[]>;
  /** Makes an empty upload. */
  begin(upload: Upload): Promise<void>;
  /** Sees that what has arrived stays, and that whoever sent before adds nothing more. */
  settle(upload: Upload): Promise<void>;
  /** Goes on at the end, which is at `size`. Throws 409 when it is not, also while writing: somebody else sends then. */
  open(upload: Upload, size: number): Promise<NewFile>;
  /** Notes that somebody needs it. */
  touch(upload: Upload): Promise<void>;
  /** Gives it another state. */
  become(upload: Upload, state: UploadState): Promise<Upload>;
  /** True when the bytes are those of its hash. Read piece by piece. */
  isRight(upload: Upload): Promise<boolean>;
  /** Gives a whole one's bytes a path of the disk. False where they are not there any more. */
  copy(upload: Upload, path: string): Promise<boolean>;
  /**
   * Takes new uploads of one person from files of the disk, as ones that a change has used; they may be lost with a crash. `makeRoom` runs
   * once they are counted. What somebody else sends already is left to them. Throws what that throws, and 460 when the bytes of one are
   * not those of its hash: then nothing of any is left. Absent where that is no quicker than `open`.
   */
  takeFiles?(files: readonly UploadedFile[], makeRoom: () => Promise<void>): Promise<void>;
  remove(upload: Upload): Promise<void>;
  /** Removes what nobody touched for so many milliseconds, of everybody. */
  removeResting(milliseconds: number): Promise<void>;
}
