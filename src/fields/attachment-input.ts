import type { AttachmentField } from '../domain/fields.ts';
import type { FormFile } from './form-file.ts';

/** A file that is already with the server, or waits in the outbox, as a form shows it. */
export interface PresentFile {
  readonly key: string;
  readonly name: string;
  /** Where the file is, for a picture one that is large enough to look at. */
  readonly address: string;
  /** Its bytes, where they wait on this device. */
  readonly blob?: Blob;
  /** Where a small picture of it is. */
  readonly thumbnail: string;
  /** Bytes, where they are known. */
  readonly size?: number;
  /** `waiting` to be sent with an earlier change, or `leaving`: its deletion waits to be sent. */
  readonly state?: 'waiting' | 'leaving';
  /** Whether it is to open without a connection. Absent where that cannot be chosen. */
  readonly offline?: OfflineCopy;
}

/** A copy of a stored file that somebody may keep on this device. */
export interface OfflineCopy {
  readonly isWanted: boolean;
  /** How it stands, where one is wanted. */
  readonly words: string | undefined;
  /** Keeps it, or lets go of it. Absent where all of its kind are kept. */
  readonly onToggle?: () => void;
}

/** What can be done with stored files one by one. */
export interface StoredActions {
  readonly onDelete: (key: string) => Promise<void>;
  /** Takes back a deletion that waits to be sent. */
  readonly onUndo: (key: string) => Promise<void>;
}

/** What every input of files gets. */
export interface AttachmentInputProps<F extends AttachmentField> {
  readonly field: F;
  readonly id: string;
  /** The files picked into this field, in order. */
  readonly files: readonly FormFile[];
  readonly stored: readonly PresentFile[];
  readonly invalid: boolean;
  readonly described: string | undefined;
  /** What is wrong with single files, by their place among `files`. */
  readonly fileErrors: readonly (string | undefined)[];
  /** A picture pasted anywhere on the page goes into this field. */
  readonly takesPaste: boolean;
  readonly onAdd: (files: readonly FormFile[]) => void;
  /** Told when picked files begin to be read, and when all of them are. */
  readonly onReading: (field: AttachmentField, reading: boolean) => void;
  readonly onRemove: (key: string) => void;
  readonly onMove: (key: string, to: number) => void;
  /** Absent where stored files can only be replaced. */
  readonly storedActions?: StoredActions | undefined;
}
