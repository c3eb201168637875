import { type AttachmentField, isManyFiles } from '../domain/fields.ts';

/** A file picked in a form. Its bytes are copied, because the device may revoke access to a picked file at any time. */
export interface FormFile {
  /** Unique within a form. */
  readonly key: string;
  /** The field's name, without `[]`. */
  readonly field: string;
  readonly blob: Blob;
  readonly name: string;
  readonly type: string;
  /** Lower-case hexadecimal SHA-256. Undefined on insecure pages, where browsers cannot compute it. */
  readonly sha256?: string;
  /** Bytes before the photo was shrunk. Undefined if it is unchanged. */
  readonly originalSize?: number;
}

/** Returns the files of one field, in upload order. */
export function filesOf(files: readonly FormFile[], field: AttachmentField): FormFile[] {
  return files.filter((file) => file.field === field.name);
}

/** Adds files to a form. `images` appends them; `image` and `file` keep only the newest. */
export function withFiles(
  files: readonly FormFile[],
  field: AttachmentField,
  added: readonly FormFile[],
): readonly FormFile[] {
  if (isManyFiles(field)) return [...files, ...added];
  const newest = added.at(-1);
  return newest === undefined ? files : [...files.filter((file) => file.field !== field.name), newest];
}

/** Moves a file to another position within its field. */
export function withFileMoved(files: readonly FormFile[], key: string, to: number): readonly FormFile[] {
  const moved = files.find((file) => file.key === key);
  if (moved === undefined) return files;
  const own = files.filter((file) => file.field === moved.field && file.key !== key);
  own.splice(Math.max(0, Math.min(to, own.length)), 0, moved);
  return [...files.filter((file) => file.field !== moved.field), ...own];
}
