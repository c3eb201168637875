import type { AttachmentField } from '../domain/fields.ts';
import type { FormFile } from './form-file.ts';

/** A file shown in a form that is already on the server or pending in the outbox. */
export interface PresentFile {
  readonly key: string;
  readonly name: string;
  /** The URL of the file. For a picture, one large enough to view. */
  readonly address: string;
  /** The bytes, if they are pending on this device. */
  readonly blob?: Blob;
  /** The URL of the thumbnail. */
  readonly thumbnail: string;
  /** Bytes, if known. */
  readonly size?: number;
  /** `waiting`: pending in an earlier change. `leaving`: its deletion is pending. */
  readonly state?: 'waiting' | 'leaving';
  /** Whether it opens offline. Undefined if that is not offered. */
  readonly offline?: OfflineCopy;
}

/** A copy of a stored file that the user may keep on this device. */
export interface OfflineCopy {
  readonly isWanted: boolean;
  /** The copy is on this device. */
  readonly isKept: boolean;
  /** The status of the copy, if one is wanted. */
  readonly words: string | undefined;
  /** Keeps or removes the copy. Undefined if the whole kind is kept. */
  readonly onToggle?: () => void;
}

/** Actions on a single stored file. */
export interface StoredActions {
  readonly onDelete: (key: string) => Promise<void>;
  /** Withdraws a pending deletion. */
  readonly onUndo: (key: string) => Promise<void>;
}

/** Props of every file input. */
export interface AttachmentInputProps<F extends AttachmentField> {
  readonly field: F;
  readonly id: string;
  /** The files picked for this field, in order. */
  readonly files: readonly FormFile[];
  readonly stored: readonly PresentFile[];
  readonly invalid: boolean;
  readonly described: string | undefined;
  /** Errors of single files, by index in `files`. */
  readonly fileErrors: readonly (string | undefined)[];
  /** Whether a picture pasted anywhere on the page goes into this field. */
  readonly takesPaste: boolean;
  readonly onAdd: (files: readonly FormFile[]) => void;
  /** Called when reading of picked files starts, and when all are read. */
  readonly onReading: (field: AttachmentField, reading: boolean) => void;
  readonly onRemove: (key: string) => void;
  readonly onMove: (key: string, to: number) => void;
  /** Offers no picker. */
  readonly readOnly?: boolean | undefined;
  /** Undefined if stored files can only be replaced. */
  readonly storedActions?: StoredActions | undefined;
}
